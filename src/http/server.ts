import { createServer as createHttpServer, METHODS } from 'node:http'
import { type FastifyInstance, type FastifyServerFactoryHandler, fastify } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { registerCmsPlane } from './cms/plane.ts'
import { addCors } from './cors.ts'
import { registerDocs } from './docs.ts'
import { openExpressLane } from './express-lane.ts'
import { registerHealth } from './health.ts'
import { registerMetrics } from './metrics.ts'
import { observeRequests } from './observe.ts'
import { expressFor } from './partner/express.ts'
import { registerPartnerPlane } from './partner/plane.ts'
import { partnerService } from './partner/serve.ts'
import { shortcutFor } from './partner/shortcut.ts'
import { shortRoutes } from './partner/shortcut-routes.ts'
import type { Parts } from './parts.ts'
import { registerProblemPages } from './problem-pages.ts'
import { RateLimiter } from './rate-limiter.ts'
import { keepAliveMs } from './ready-made.ts'
import { answerBrokenRequests, problemSender, refuseRepeatedHeaders, refuseTunnel } from './refuse.ts'
import { requestIdOf } from './request-id.ts'
import { securityHeaders } from './security-headers.ts'
import { cutStalledReaders } from './stalled.ts'
import { type Stopping, stopInOrder } from './stopping.ts'

export function createServer(parts: Parts): FastifyInstance {
  const { config, proxies } = parts
  const send = problemSender(proxies)
  const app = fastify({
    logger: false,
    genReqId: requestIdOf,
    serverFactory: (handler) => listener(parts, handler),
    clientErrorHandler: answerBrokenRequests,
    frameworkErrors: send,
    // No route has a schema of the framework's: its compilers need not be loaded.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: config.limits.headerBytes },
    // A connection that waits is closed with the server; one in use is answered first.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  // The body stays on the socket until an endpoint asks for it, after every check that could refuse the caller.
  for (const method of METHODS) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.headers(securityHeaders(proxies.isEncrypted(request.raw.socket, request.headers)))
    refuseRepeatedHeaders(request)
    done()
  })
  const stopping = stopInOrder(app)
  observeRequests(app, parts.observe)
  app.setErrorHandler(send)
  app.setNotFoundHandler(() => {
    throw new Refusal('route_not_found', 'Nothing is served at this path.')
  })
  addCors(app, config.corsOrigins)
  servePartners(app, parts, stopping)
  registerCmsPlane(app, parts)
  registerHealth(app, parts.db, stopping)
  registerMetrics(app, parts.metrics)
  registerProblemPages(app)
  registerDocs(app)
  // Expectations that we do not know may be ignored (RFC 9110, 10.1.1); Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', refuseTunnel)
  return app
}

/** `/v1`, by the framework and by the express lane, counted by one limiter. */
function servePartners(app: FastifyInstance, parts: Parts, stopping: Stopping): void {
  const limiter = new RateLimiter()
  const serve = partnerService(parts, limiter)
  registerPartnerPlane(app, parts, serve)
  const shortcut = shortcutFor(parts, limiter, shortRoutes(parts))
  openExpressLane(app.server, expressFor(parts, shortcut, serve), stopping)
}

function unused(): never {
  throw new Error('A route has a schema, and there is no compiler for it')
}

function listener({ config }: Parts, handler: FastifyServerFactoryHandler) {
  const options = {
    maxHeaderSize: config.limits.headerBytes,
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 1000,
    requireHostHeader: false,
  }
  const server = createHttpServer(options, handler)
  cutStalledReaders(server)
  return server
}
