import type { FastifyInstance } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { isReachable } from '../operations/health.ts'
import type { Db } from '../storage/database.ts'
import type { Stopping } from './stopping.ts'

export function registerHealth(app: FastifyInstance, db: Db, stopping: Stopping): void {
  app.get('/healthz', async (_request, reply) => {
    return reply.header('cache-control', 'no-store').send({ status: 'ok' })
  })
  app.get('/readyz', async (_request, reply) => {
    stopping.noteWatcher()
    if (stopping.begun || !(await isReachable(db))) {
      throw new Refusal('not_ready', stopping.begun ? 'This node is stopping.' : 'The database cannot be reached.', {
        retryAfterSeconds: 1,
      })
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}
