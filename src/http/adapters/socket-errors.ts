import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

/**
 * Keeps an 'error' listener on every connection until it closes, since an 'error' event without a listener would end
 * the process. Other listeners come and go: Node removes its own before 'connect' and 'upgrade', and connections pass
 * from the fast path to Node and to the lingering close. The listener does nothing, as 'close' follows each error.
 */
export function surviveSocketErrors(server: Server): void {
  // Both sockets of a TLS connection need a listener: the TCP socket, and the TLSSocket on it that carries HTTP.
  for (const event of new Set(['connection', connectionEvent(server)])) {
    server.on(event, (socket: Socket) => socket.on('error', ignore))
  }
}

function ignore(): void {}
