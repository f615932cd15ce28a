import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

const sweepMs = 1000
const stalledMs = 30_000

interface Progress {
  bytesSent: number
  /** The number of sweeps since the client last read something. */
  sweeps: number
}

/**
 * Closes connections whose client reads nothing of a pending response for `stalledMs`, even if it still sends. A
 * client that reads at least a little is kept. One periodic sweep checks all connections, because a timer per
 * connection would have to be reset with every request. Sweeps are counted instead of time: a paused machine must not
 * count as stalled.
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

/** Node's internal counters, which its own timers use. `_parent` is the TCP socket under a TLSSocket. */
interface SocketInternals {
  _parent?: SocketInternals | null
  _handle?: { writeQueueSize: number } | null
  _bytesDispatched: number
}

/** Returns the bytes that the kernel has accepted: those given to libuv, without those that still wait in its queue. */
function bytesSentTo(socket: Socket): number {
  const internals = socket as unknown as SocketInternals
  const tcp = internals._parent ?? internals
  return internals._bytesDispatched - (tcp._handle?.writeQueueSize ?? 0)
}
