import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionEvent } from './connection-event.ts'

/**
 * Keeps one 'error' listener on every connection for as long as it exists. Without any, a reset ends the process, and
 * listeners do come and go: Node takes its own off before 'connect' and 'upgrade', the fast path hands connections over,
 * refused ones are read to their end. What follows from an error is decided elsewhere; 'close' comes behind it.
 */
export function surviveSocketErrors(server: Server): void {
  // Over TLS there are two sockets to a connection: the one below, and the one on which HTTP is spoken.
  for (const event of new Set(['connection', connectionEvent(server)])) {
    server.on(event, (socket: Socket) => socket.on('error', ignore))
  }
}

function ignore(): void {}
