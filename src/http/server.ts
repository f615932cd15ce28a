import { METHODS } from 'node:http'
import { type FastifyInstance, fastify } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { addCors } from './cors.ts'
import { registerDocs } from './docs.ts'
import { registerHealth } from './health.ts'
import { logRequests } from './log.ts'
import { countRequests, registerMetrics } from './metrics.ts'
import { registerPartnerPlane } from './partner/plane.ts'
import type { Parts } from './parts.ts'
import { registerProblemPages } from './problem-pages.ts'
import { answerBrokenRequests, refuseRepeatedHeaders, sendProblem } from './refuse.ts'
import { requestIdOf } from './request-id.ts'
import { stopInOrder } from './stopping.ts'

export function createServer(parts: Parts): FastifyInstance {
  const { config } = parts
  const app = fastify({
    logger: false,
    genReqId: requestIdOf,
    requestTimeout: 30_000,
    // A reader that takes nothing for so long is not coming back. Longer than the above, which comes with an answer.
    connectionTimeout: 35_000,
    http: {
      maxHeaderSize: config.limits.headerBytes,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 1000,
      requireHostHeader: false,
    },
    clientErrorHandler: answerBrokenRequests,
    frameworkErrors: sendProblem,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: config.limits.headerBytes },
    // A connection that waits is closed with the server; one in use is answered first.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  // The body stays on the socket until an endpoint asks for it, after every check that could refuse the caller.
  for (const method of METHODS) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
  })
  app.addHook('onRequest', refuseRepeatedHeaders)
  const stopping = stopInOrder(app)
  logRequests(app, parts.log)
  countRequests(app, parts.metrics)
  app.setErrorHandler(sendProblem)
  app.setNotFoundHandler(() => {
    throw new Refusal('route_not_found', 'Nothing is served at this path.')
  })
  addCors(app, config.corsOrigins)
  registerPartnerPlane(app, parts)
  registerHealth(app, parts.db, stopping)
  registerMetrics(app, parts.metrics)
  registerProblemPages(app)
  registerDocs(app)
  // Expectations that we do not know may be ignored (RFC 9110, 10.1.1); Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}
