import type { Socket } from 'node:net'

const defaultTimeouts = { idleMs: 2000, maxMs: 30_000 }
/**
 * How long a connection is kept after the response `request_timeout`: at most 2 s, instead of the usual 30 s, because
 * its client has already proved too slow.
 */
export const shortTimeouts = { idleMs: 2000, maxMs: 2000 }

/**
 * Lingering close (nginx's term): closes a connection whose client may still be sending. Reads and discards until the
 * client closes, sends nothing for `idleMs`, or `maxMs` have passed. If the socket closed at once, the kernel would
 * respond to further bytes with a reset, and the client's kernel would discard a response that was not read yet.
 */
export function lingeringClose(socket: Socket, lastBytes = '', { idleMs, maxMs } = defaultTimeouts): void {
  discardInput(socket)
  if (socket.writable) socket.end(lastBytes)
  socket.setTimeout(idleMs, () => socket.destroy())
  const limit = setTimeout(() => socket.destroy(), maxMs).unref()
  socket.once('close', () => clearTimeout(limit))
}

/** Replaces `destroySoon`, which Node calls after the last response of a connection, by the lingering close. */
export function lingerOn(socket: Socket, timeouts = defaultTimeouts): void {
  socket.destroySoon = () => lingeringClose(socket, '', timeouts)
}

/** Discards all further bytes from the client. */
export function discardInput(socket: Socket): void {
  // Removes the listener of Node's HTTP parser, which would report its error again for each chunk.
  socket
    .pause()
    .removeAllListeners('data')
    .on('data', () => {})
    .resume()
  // Starts reading again: Node's HTTP parser bypasses the stream and may have stopped the socket's handle, although the
  // state of the stream says that it is reading.
  socket._read(0)
}
