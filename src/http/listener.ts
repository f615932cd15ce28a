import type { Server, ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { FastifyServerFactoryHandler } from 'fastify'
import type { Config } from '../config.ts'
import type { Certificate } from './certificate.ts'
import { createServer } from './node-http.ts'
import { keepAliveMs } from './ready-made.ts'
import { surviveSocketErrors } from './socket-errors.ts'
import { cutStalledReaders } from './stalled.ts'

const headersMs = 15_000

/** A server that reads HTTP, in the clear or over TLS. */
export function createListener(
  { limits }: Config,
  certificate: Certificate | undefined,
  handler: FastifyServerFactoryHandler,
): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: headersMs,
    requestTimeout: 30_000,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 1000,
    requireHostHeader: false,
  }
  const server = certificate === undefined ? createServer(options, handler) : overTls(options, certificate, handler)
  surviveSocketErrors(server)
  cutStalledReaders(server)
  return server
}

function overTls(options: ServerOptions, certificate: Certificate, handler: FastifyServerFactoryHandler): Server {
  const server = createTlsServer({ ...options, ...certificate.options, handshakeTimeout: headersMs }, handler)
  certificate.showOn(server)
  return server as unknown as Server
}
