import { type FastifyInstance, fastify } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { registerCmsPlane } from './cms/plane.ts'
import { cmsRoutes } from './cms/routes.ts'
import { registerConsole } from './console.ts'
import { addCors } from './cors.ts'
import { registerDocs } from './docs.ts'
import { openExpressLane } from './express-lane.ts'
import { registerGuides } from './guides.ts'
import { registerHealth } from './health.ts'
import { createListener } from './listener.ts'
import { methodsAt } from './methods.ts'
import { registerMetrics } from './metrics.ts'
import { METHODS } from './node-http.ts'
import { observeRequests, traceRequests } from './observe.ts'
import { expressFor } from './partner/express.ts'
import { registerPartnerPlane } from './partner/plane.ts'
import { partnerRoutes } from './partner/routes.ts'
import { partnerService } from './partner/serve.ts'
import { shortcutFor } from './partner/shortcut.ts'
import { shortRoutes } from './partner/shortcut-routes.ts'
import type { Parts } from './parts.ts'
import { registerProblemPages } from './problem-pages.ts'
import type { Proxies } from './proxies.ts'
import { RateLimiter } from './rate-limiter.ts'
import { answerBrokenRequests, noteReceived, problemSender, refuseRepeatedHeaders, refuseTunnel } from './refuse.ts'
import { requestIdOf } from './request-id.ts'
import { securityHeaders } from './security-headers.ts'
import { type Stopping, stopInOrder } from './stopping.ts'

declare module 'fastify' {
  interface FastifyInstance {
    stopping: Stopping
  }
}

const allowedAt = methodsAt([...partnerRoutes, ...cmsRoutes])

export function createServer(parts: Parts): FastifyInstance {
  const { config, proxies } = parts
  const send = problemSender(proxies)
  const app = fastify({
    logger: false,
    genReqId: requestIdOf,
    serverFactory: (handler) => createListener(config, parts.certificate, handler),
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
  receive(app, proxies)
  const stopping = stopInOrder(app, config.drainSeconds)
  app.decorate('stopping', stopping)
  observeRequests(app, parts.observe)
  if (parts.tracer !== undefined) traceRequests(app, parts.tracer)
  app.setErrorHandler(send)
  app.setNotFoundHandler(({ url }) => {
    const allow = allowedAt(url)
    if (allow !== undefined) throw new Refusal('method_not_allowed', `This path takes ${allow.join(', ')}.`, { allow })
    throw new Refusal('route_not_found', 'Nothing is served at this path.')
  })
  addCors(app, config.corsOrigins)
  servePartners(app, parts, stopping)
  registerCmsPlane(app, parts)
  stopping.onLeave(() => parts.watch.feed.end())
  registerHealth(app, parts.db, stopping)
  registerMetrics(app, parts)
  registerProblemPages(app)
  registerDocs(app)
  registerGuides(app)
  registerConsole(app)
  // Expectations that we do not know may be ignored (RFC 9110, 10.1.1); Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', refuseTunnel)
  return app
}

/** `/v1`, by the framework and by the express lane, counted by one limiter. */
function servePartners(app: FastifyInstance, parts: Parts, stopping: Stopping): void {
  const limiter = new RateLimiter()
  const serve = partnerService(parts, limiter)
  const leaving = new AbortController()
  stopping.onLeave(() => leaving.abort())
  registerPartnerPlane(app, parts, serve, leaving.signal)
  const shortcut = shortcutFor(parts, limiter, shortRoutes(parts))
  openExpressLane(app.server, expressFor(parts, shortcut, serve), stopping)
}

/** What comes before everything else. */
function receive(app: FastifyInstance, proxies: Proxies): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.headers(securityHeaders(proxies.isEncrypted(request.raw.socket, request.headers)))
    noteReceived({ request: request.raw, response: reply.raw })
    refuseRepeatedHeaders(request)
    done()
  })
}

function unused(): never {
  throw new Error('A route has a schema, and there is no compiler for it')
}
