import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface Stopping {
  readonly begun: boolean
  /** What is called when stopping begins, and gives what is to be waited for. */
  onBegin(listener: () => Promise<unknown>[]): void
}

const patienceMs = 9_000

/**
 * Lets a server stop without cutting answers off: those that are under way are waited for, up to a limit, and each
 * answer ends its connection, because one that is kept alive would hold the process for another minute.
 */
export function stopInOrder(app: FastifyInstance): Stopping {
  const open = new Set<ServerResponse>()
  const listeners: (() => Promise<unknown>[])[] = []
  const stopping = {
    begun: false,
    onBegin: (listener: () => Promise<unknown>[]) => void listeners.push(listener),
  }
  app.addHook('onRequest', (_request, { raw }, done) => {
    open.add(raw)
    raw.once('close', () => open.delete(raw))
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping.begun) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    stopping.begun = true
    const underWay = [...open].map((response) => new Promise((done) => response.once('close', done)))
    for (const listener of listeners) underWay.push(...listener())
    const limit = new AbortController()
    await Promise.race([Promise.all(underWay), sleep(patienceMs, undefined, { signal: limit.signal })])
    limit.abort()
    for (const response of open) response.destroy()
  })
  return stopping
}
