import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deprecation } from '../../config.ts'
import { collectBody } from '../body.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { routerPath } from '../methods.ts'
import type { Parts } from '../parts.ts'
import { policyOf, stateOf } from '../rate-limiter.ts'
import { sendParts } from '../streamed.ts'
import { partnerRoutes } from './routes.ts'
import type { Exchange, Serve } from './serve.ts'

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange | undefined
  }
}

/** Registers `/v1`. */
export function registerPartnerPlane(app: FastifyInstance, parts: Parts, serve: Serve, leaving: AbortSignal): void {
  const { config } = parts
  refuseUnknownDeprecations(config.deprecations)
  for (const endpoint of partnerRoutes) {
    const announced = deprecationHeaders(endpoint, config.deprecations)
    app.route({
      method: endpoint.method,
      url: routerPath(endpoint.path),
      handler: async (request, reply) => {
        const exchange = exchangeOf(endpoint, request, parts, goneWith(reply, leaving))
        request.exchange = exchange
        reply.headers(announced)
        const { status, headers, body, parts: stream } = await serve(exchange).finally(() => sayRate(exchange, reply))
        if (stream !== undefined) return sendParts(reply.headers(headers), stream)
        return reply
          .headers(headers)
          .code(status)
          .send(status === 304 ? undefined : body)
      },
    })
  }
}

/** Made for those who wait: most are answered before anybody could ask. */
function goneWith({ raw }: FastifyReply, leaving: AbortSignal): () => AbortSignal {
  return () => {
    const closed = new AbortController()
    raw.once('close', () => closed.abort())
    // Whoever waits is not idle, whatever the connection was before.
    raw.socket?.setTimeout(0)
    return AbortSignal.any([closed.signal, leaving])
  }
}

function exchangeOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  { config, proxies }: Parts,
  gone: () => AbortSignal,
): Exchange {
  const { method, url, headers, id: requestId, raw } = request
  return {
    endpoint,
    method,
    url,
    params: request.params as Call['params'],
    headers,
    requestId,
    address: proxies.from(request.socket, headers).remoteAddress,
    bytes: () => collectBody(raw, config.limits.bodyBytes),
    gone,
    waitedMs: 0,
    token: undefined,
    bucket: undefined,
  }
}

/** What is left of the caller's rate limit, on refusals too. */
function sayRate({ bucket }: Exchange, reply: FastifyReply): void {
  if (bucket === undefined) return
  reply.header('ratelimit-policy', policyOf(bucket.limit)).header('ratelimit', stateOf(bucket))
}

/** RFC 9745 and RFC 8594, for routes that the configuration names. */
export function deprecationHeaders(endpoint: Endpoint, deprecations: Deprecation[]): Record<string, string> {
  const found = deprecations.find(({ route }) => isRoute(endpoint, route))
  if (found === undefined) return {}
  return {
    deprecation: `@${Math.floor(found.deprecation.getTime() / 1000)}`,
    ...(found.sunset && { sunset: found.sunset.toUTCString() }),
  }
}

function isRoute({ method, path }: Endpoint, route: string): boolean {
  return route.replace(/\/$/, '') === `${method} ${path}`.replace(/\/$/, '')
}

function refuseUnknownDeprecations(deprecations: Deprecation[]): void {
  const unknown = deprecations.find(({ route }) => !partnerRoutes.some((endpoint) => isRoute(endpoint, route)))
  if (unknown !== undefined) throw new Error(`ATRIUM_DEPRECATIONS names "${unknown.route}", which is no route of /v1`)
}
