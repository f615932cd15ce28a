import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

const everyMs = 1000
const stalledMs = 15_000

/**
 * Cuts off readers that take nothing of an answer that waits for them: they are not coming back. Node looks twice, so
 * that one which takes at least a little stays. One sweep now and then finds whom to look at, because a timer for each
 * connection would be moved with every request.
 */
export function cutStalledReaders(server: Server): void {
  const sockets = new Set<Socket>()
  const watched = new WeakSet<Socket>()
  server.on(connectionEvent(server), (socket: Socket) => {
    sockets.add(socket)
    socket.on('timeout', () => socket.writableLength > 0 && socket.destroy())
    socket.once('close', () => sockets.delete(socket))
  })
  const sweep = () => {
    for (const socket of sockets) {
      if (socket.writableLength === 0) watched.delete(socket)
      else if (!watched.has(socket)) watched.add(socket.setTimeout(stalledMs))
    }
  }
  const timer = setInterval(sweep, everyMs).unref()
  server.on('close', () => clearInterval(timer))
}
