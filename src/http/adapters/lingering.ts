import type { Socket } from 'node:net'

const defaultTimeouts = { idleMs: 2000, maxMs: 30_000 }
/** The timeouts for clients that were slow before: the connection is closed soon. */
export const shortTimeouts = { idleMs: 2000, maxMs: 2000 }

/**
 * Lingering close (nginx's term): closes a connection whose client may still be sending. Input is read and discarded
 * until the client closes too, is idle for `idleMs`, or `maxMs` have passed. After an immediate close, the kernel would
 * respond to further input with a reset, and on a reset the client's kernel discards the response if it has not been
 * read yet.
 */
export function lingeringClose(socket: Socket, lastBytes = '', { idleMs, maxMs } = defaultTimeouts): void {
  discardInput(socket)
  if (socket.writable) socket.end(lastBytes)
  socket.setTimeout(idleMs, () => socket.destroy())
  const limit = setTimeout(() => socket.destroy(), maxMs).unref()
  socket.once('close', () => clearTimeout(limit))
}

/** Discards everything that arrives from now on. */
export function discardInput(socket: Socket): void {
  // Removes the listener of Node's parser, which would report the same error again.
  socket
    .pause()
    .removeAllListeners('data')
    .on('data', () => {})
    .resume()
  // Node's parser reads from the handle, past the stream, and may have stopped it; the stream believes that it is
  // reading.
  socket._read(0)
}
