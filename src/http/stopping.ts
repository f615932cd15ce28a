import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { connectionEvent } from './connection-event.ts'

export interface Stopping {
  /** From then on each answer ends its connection. */
  readonly begun: boolean
  /** Somebody asks now and then whether this node is ready, and will see that it no longer is. */
  readonly isWatched: boolean
  noteWatcher(): void
  /** What is called when nobody is expected any more, to let connections go that no server knows of. */
  onLeave(listener: () => void): void
}

/** For what is under way once nobody new is expected. With the notice it stays below what container runtimes wait. */
const patienceMs = 5000
/** Whoever asked so long ago asks no more. */
const watchedMs = 60_000

/**
 * Lets a server stop without cutting anything off. First whoever watches /readyz has time to see that it is going, while
 * all are still answered; then idle connections are closed and what is under way is waited for, up to a limit.
 */
export function stopInOrder(app: FastifyInstance, noticeSeconds: number): Stopping {
  const sockets = new Set<Socket>()
  const listeners: (() => void)[] = []
  let watchedAtMs = Number.NEGATIVE_INFINITY
  const stopping = {
    begun: false,
    get isWatched() {
      return performance.now() - watchedAtMs < watchedMs
    },
    noteWatcher: () => {
      watchedAtMs = performance.now()
    },
    onLeave: (listener: () => void) => void listeners.push(listener),
  }
  // Over TLS there are two to a connection: the one below may be all there is yet, the other knows if it was spoken on.
  for (const event of new Set(['connection', connectionEvent(app.server)])) {
    app.server.on(event, (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
  }
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping.begun) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    stopping.begun = true
    if (stopping.isWatched) await sleep(noticeSeconds * 1000)
    await leave(app.server, sockets, listeners)
  })
  return stopping
}

async function leave(server: Server, sockets: Set<Socket>, listeners: (() => void)[]): Promise<void> {
  if (!server.listening) return
  // Takes nobody new, and lets those go that have been answered and wait.
  const closed = new Promise((done) => server.close(done))
  for (const listener of listeners) listener()
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroySoon()
  const limit = new AbortController()
  await Promise.race([closed, sleep(patienceMs, undefined, { signal: limit.signal })])
  limit.abort()
  for (const socket of sockets) socket.destroy()
}
