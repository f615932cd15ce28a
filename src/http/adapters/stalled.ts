import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

const sweepMs = 1000
const stalledMs = 30_000

interface Progress {
  bytesSent: number
  /** The number of checks, one per second, since the client last read a byte. */
  sweeps: number
}

/**
 * Closes connections whose client reads nothing of a pending response for `stalledMs`, even if it sends data. One timer
 * checks all connections, since a timer for each would have to be reset at each request. Time is counted in checks, so
 * that a pause of the machine closes no connection.
 */
export function closeStalledReaders(server: Server, times = { sweepMs, stalledMs }): void {
  const sockets = new Set<Socket>()
  const stalled = new WeakMap<Socket, Progress>()
  server.on(connectionEvent(server), (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const maxSweeps = times.stalledMs / times.sweepMs
  const check = (socket: Socket) => {
    const last = stalled.get(socket)
    const bytesSent = bytesSentTo(socket)
    if (socket.writableLength === 0) stalled.delete(socket)
    else if (last === undefined || bytesSent > last.bytesSent) stalled.set(socket, { bytesSent, sweeps: 0 })
    else if (++last.sweeps > maxSweeps) socket.destroy()
  }
  const sweep = () => {
    for (const socket of sockets) check(socket)
  }
  const timer = setInterval(sweep, times.sweepMs).unref()
  server.on('close', () => clearInterval(timer))
}

/** Internal properties of Node's sockets: no public one shows how many bytes the kernel has accepted. */
interface SocketInternals {
  _parent?: SocketInternals | null
  _handle?: { writeQueueSize: number } | null
  _bytesDispatched: number
}

/** Returns how many bytes the kernel has accepted: those that Node wrote, less those in the write queue of libuv. */
function bytesSentTo(socket: Socket): number {
  const internals = socket as unknown as SocketInternals
  const tcp = internals._parent ?? internals
  return internals._bytesDispatched - (tcp._handle?.writeQueueSize ?? 0)
}
