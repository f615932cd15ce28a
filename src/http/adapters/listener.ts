import type { Server, ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Config } from '../../config.ts'
import type { Certificate } from './certificate.ts'
import { keepAliveMs } from './head.ts'
import { createServer } from './http-module.ts'
import { surviveSocketErrors } from './socket-errors.ts'
import { closeStalledReaders } from './stalled.ts'

const headersMs = 15_000

export function createListener({ limits }: Config, certificate: Certificate | undefined): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: headersMs,
    requestTimeout: 30_000,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 1000,
    requireHostHeader: false,
  }
  const server = certificate === undefined ? createServer(options) : overTls(options, certificate)
  surviveSocketErrors(server)
  closeStalledReaders(server)
  return server
}

function overTls(options: ServerOptions, certificate: Certificate): Server {
  const server = createTlsServer({ ...options, ...certificate.options, handshakeTimeout: headersMs })
  certificate.applyTo(server)
  return server as unknown as Server
}
