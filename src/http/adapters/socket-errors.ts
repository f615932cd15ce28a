import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

/**
 * Keeps one 'error' listener on every connection for its whole life. A socket error without a listener ends the
 * process, and other listeners come and go: Node removes its own before 'connect' and 'upgrade', and connections move
 * from the fast path to Node and into a lingering close. Errors need no handling here, since 'close' follows them.
 */
export function surviveSocketErrors(server: Server): void {
  // A TLS connection has two sockets: the TCP socket, and the TLSSocket on top of it that carries HTTP.
  for (const event of new Set(['connection', connectionEvent(server)])) {
    server.on(event, (socket: Socket) => socket.on('error', ignore))
  }
}

function ignore(): void {}
