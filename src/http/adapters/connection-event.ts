import type { Server } from 'node:http'
import { Server as TlsServer } from 'node:tls'

/** What brings a server the connections on which HTTP is spoken. */
export function connectionEvent(server: Server): 'connection' | 'secureConnection' {
  return server instanceof TlsServer ? 'secureConnection' : 'connection'
}
