import type { Server } from 'node:http'
import { Server as TlsServer } from 'node:tls'

/** Returns the event for a connection that is ready for HTTP. With TLS, that is after the handshake. */
export function connectionEvent(server: Server): 'connection' | 'secureConnection' {
  return server instanceof TlsServer ? 'secureConnection' : 'connection'
}
