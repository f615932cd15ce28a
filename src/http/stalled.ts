import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const everyMs = 5000
const stalledMs = 35_000

/**
 * Cuts off readers that take nothing of an answer that waits for them: they are not coming back. One sweep now and
 * then, because a timer for each connection would be moved with every request.
 */
export function cutStalledReaders(server: Server): void {
  const sockets = new Map<Socket, { bytes: number; sinceMs: number }>()
  server.on('connection', (socket) => {
    sockets.set(socket, { bytes: 0, sinceMs: performance.now() })
    socket.once('close', () => sockets.delete(socket))
  })
  const sweep = () => {
    const nowMs = performance.now()
    for (const [socket, seen] of sockets) {
      const bytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || bytes !== seen.bytes) Object.assign(seen, { bytes, sinceMs: nowMs })
      else if (nowMs - seen.sinceMs >= stalledMs) socket.destroy()
    }
  }
  const timer = setInterval(sweep, everyMs).unref()
  server.on('close', () => clearInterval(timer))
}
