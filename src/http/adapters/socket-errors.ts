import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

/**
 * Adds an 'error' listener to every socket, because such an event without one would end the process. Other listeners do
 * not stay: Node removes its own before 'connect' and 'upgrade', and a connection can pass from the fast path to Node
 * or to the lingering close. The listener need not do anything, since 'close' follows each error.
 */
export function surviveSocketErrors(server: Server): void {
  // Both sockets of a TLS connection need a listener: the TCP socket, and the TLSSocket on it that carries HTTP.
  for (const event of new Set(['connection', connectionEvent(server)])) {
    server.on(event, (socket: Socket) => socket.on('error', ignore))
  }
}

function ignore(): void {}
