import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface Stopping {
  readonly begun: boolean
}

const patienceMs = 9_000

/**
 * Lets a server stop without cutting answers off: those that are under way are waited for, up to a limit, and each
 * answer ends its connection, because one that is kept alive would hold the process for another minute.
 */
export function stopInOrder(app: FastifyInstance): Stopping {
  const stopping = { begun: false }
  const open = new Set<ServerResponse>()
  app.addHook('onRequest', async (_request, { raw }) => {
    open.add(raw)
    raw.once('close', () => open.delete(raw))
  })
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.begun) reply.header('connection', 'close')
  })
  app.addHook('preClose', async () => {
    stopping.begun = true
    const underWay = [...open].map((response) => new Promise((done) => response.once('close', done)))
    const limit = new AbortController()
    await Promise.race([Promise.all(underWay), sleep(patienceMs, undefined, { signal: limit.signal })])
    limit.abort()
    for (const response of open) response.destroy()
  })
  return stopping
}
