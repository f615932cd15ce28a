import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

const everyMs = 1000
const stalledMs = 30_000

/** What a connection had taken of its answers, and in how many sweeps since then it had taken no more. */
interface Stand {
  taken: number
  sweeps: number
}

/**
 * Cuts off readers that take nothing of an answer that waits for them: they are not coming back, whatever they go on
 * sending. One that takes at least a little stays. One sweep now and then looks at all of them, because a timer for each
 * connection would be moved with every request. Sweeps are counted, not time: while the machine stands still nobody can
 * take anything.
 */
export function cutStalledReaders(server: Server, times = { everyMs, stalledMs }): void {
  const sockets = new Set<Socket>()
  const stands = new WeakMap<Socket, Stand>()
  server.on(connectionEvent(server), (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const sweepsAtMost = times.stalledMs / times.everyMs
  const look = (socket: Socket) => {
    const stand = stands.get(socket)
    const taken = takenBy(socket)
    if (socket.writableLength === 0) stands.delete(socket)
    else if (stand === undefined || taken > stand.taken) stands.set(socket, { taken, sweeps: 0 })
    else if (++stand.sweeps > sweepsAtMost) socket.destroy()
  }
  const sweep = () => {
    for (const socket of sockets) look(socket)
  }
  const timer = setInterval(sweep, times.everyMs).unref()
  server.on('close', () => clearInterval(timer))
}

/** Where Node counts for its own timers; of an encrypted connection, also in the one that carries it. */
interface Inside {
  _parent?: Inside | null
  _handle?: { writeQueueSize: number } | null
  _bytesDispatched: number
}

/** The bytes that have left this process: those handed to the system, without those that still wait there. */
function takenBy(socket: Socket): number {
  const inside = socket as unknown as Inside
  const carrier = inside._parent ?? inside
  return inside._bytesDispatched - (carrier._handle?.writeQueueSize ?? 0)
}
