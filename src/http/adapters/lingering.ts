import type { Socket } from 'node:net'

const defaultTimeouts = { idleMs: 2000, maxMs: 30_000 }
/** Waits 2 s after `request_timeout`, not the usual 30 s, because the client has already proved too slow. */
export const shortTimeouts = { idleMs: 2000, maxMs: 2000 }

/**
 * Lingering close (nginx's term): reads and discards until the client closes, is idle for `idleMs`, or `maxMs` pass. At
 * an immediate close, the kernel would respond to further bytes with a reset, and the client would lose the response.
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

export function discardInput(socket: Socket): void {
  // Removes the `data` listener of Node's HTTP parser, which would report the same parse error again for each chunk.
  socket
    .pause()
    .removeAllListeners('data')
    .on('data', () => {})
    .resume()
  // Node's HTTP parser reads from the socket's handle without the stream. It may have stopped the handle while the
  // stream still counts as reading, so that `resume` alone has no effect.
  socket._read(0)
}
