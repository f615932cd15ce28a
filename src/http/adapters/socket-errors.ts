import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

/**
 * An 'error' event without a listener would end the process, and others come and go: Node removes its own before
 * 'connect' and 'upgrade', and connections pass to Node and to the lingering close. 'close' follows each error.
 */
export function surviveSocketErrors(server: Server): void {
  // Both sockets of a TLS connection need a listener: the TCP socket, and the TLSSocket on it that carries HTTP.
  for (const event of new Set(['connection', connectionEvent(server)])) {
    server.on(event, (socket: Socket) => socket.on('error', ignore))
  }
}

function ignore(): void {}
