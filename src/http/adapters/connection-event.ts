import type { Server } from 'node:http'
import { Server as TlsServer } from 'node:tls'

/** Returns the event with which a server announces a connection that carries HTTP: over TLS, after the handshake. */
export function connectionEvent(server: Server): 'connection' | 'secureConnection' {
  return server instanceof TlsServer ? 'secureConnection' : 'connection'
}
