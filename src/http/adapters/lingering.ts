import type { Socket } from 'node:net'

const patience = { silenceMs: 2000, atMostMs: 30_000 }
/** For those who were too slow: they have had their time. */
export const briefly = { silenceMs: 2000, atMostMs: 2000 }

/**
 * Ends a connection whose client may not have sent everything yet: what still comes is read and thrown away until the
 * client ends too, falls silent or takes too long. Closed at once, the system would answer the rest with a reset, and a
 * reset takes the answer away from whoever has not read it.
 */
export function endLingering(socket: Socket, lastBytes = '', { silenceMs, atMostMs } = patience): void {
  discardRest(socket)
  if (socket.writable) socket.end(lastBytes)
  socket.setTimeout(silenceMs, () => socket.destroy())
  const limit = setTimeout(() => socket.destroy(), atMostMs).unref()
  socket.once('close', () => clearTimeout(limit))
}

/** From now on nothing that comes is a request, or a part of one. */
export function discardRest(socket: Socket): void {
  // Node's parser, to which it would be broken once more, gives the socket up to a listener of ours.
  socket
    .pause()
    .removeAllListeners('data')
    .on('data', () => {})
    .resume()
  // The parser took its bytes past the stream, and may have stopped: the stream believes that it is reading.
  socket._read(0)
}
