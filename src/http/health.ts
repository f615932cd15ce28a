import type { FastifyInstance } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { isReachable } from '../operations/health.ts'
import type { Db } from '../storage/database.ts'

export function registerHealth(app: FastifyInstance, db: Db): void {
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
  })
  app.get('/healthz', async (_request, reply) => {
    return reply.header('cache-control', 'no-store').send({ status: 'ok' })
  })
  app.get('/readyz', async (_request, reply) => {
    if (draining || !(await isReachable(db))) {
      throw new Refusal('not_ready', draining ? 'This node is stopping.' : 'The database cannot be reached.', {
        retryAfterSeconds: 1,
      })
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}
