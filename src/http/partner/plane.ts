import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deprecation } from '../../config.ts'
import type { Caller } from '../../domain/partner.ts'
import { Refusal } from '../../domain/refusal.ts'
import { onBehalfOf } from '../../operations/authenticate.ts'
import { sendAnswer } from '../answer.ts'
import { callerOf } from '../authenticate.ts'
import { readLegacyBody } from '../body.ts'
import { idempotencyKeyOf, preconditionOf } from '../conditions.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import type { Parts } from '../parts.ts'
import { nextPage, readQuery } from '../query.ts'
import { RateLimiter } from '../rate-limiter.ts'
import { partnerRoutes } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

/** Registers `/v1`. The token is asked for here, at the routes themselves: no spelling of a path goes round it. */
export function registerPartnerPlane(app: FastifyInstance, parts: Parts): void {
  const { db, config, tokenUse } = parts
  const limiter = new RateLimiter()
  refuseUnknownDeprecations(config.deprecations)
  for (const endpoint of partnerRoutes) {
    const announced = deprecationHeaders(endpoint, config.deprecations)
    app.route({
      method: endpoint.method,
      url: routerPath(endpoint.path),
      onRequest: async (request, reply) => {
        reply.headers(announced)
        request.caller = await callerOf(db, request, config.rateLimit)
        tokenUse.note(request.caller.token.id)
        limiter.admit(request.caller, reply)
      },
      handler: async (request, reply) => {
        const caller = request.caller as Caller
        const answer = await endpoint.handle(callOf(endpoint, request, caller, parts))
        await sendAnswer(request, reply, answer, () => limiter.refund(caller, reply))
      },
    })
  }
  refuseOtherMethods(app)
}

function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')
}

function callOf(endpoint: Endpoint, request: FastifyRequest, caller: Caller, { db, config }: Parts): Call {
  const { raw, headers, url } = request
  const params = request.params as Call['params']
  return {
    db: onBehalfOf(db, caller.token),
    limits: config.limits,
    caller,
    partner: caller.partner,
    params,
    precondition: preconditionOf(headers),
    key: () => {
      const key = endpoint.idempotent && idempotencyKeyOf(headers)
      return key ? { key, path: `${endpoint.operationId} ${Object.values(params).join('/')}` } : undefined
    },
    query: () => readQuery(url, endpoint.query),
    body: () => readLegacyBody(raw, config.limits),
    next: (cursor): Record<string, string> => (cursor === undefined ? {} : { link: nextPage(url, cursor) }),
  }
}

/** RFC 9745 and RFC 8594, for routes that the configuration names. */
function deprecationHeaders(endpoint: Endpoint, deprecations: Deprecation[]): Record<string, string> {
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

/** A known path with another method is 405 before anybody asks for a token. */
function refuseOtherMethods(app: FastifyInstance): void {
  for (const [path, endpoints] of Map.groupBy(partnerRoutes, ({ path }) => routerPath(path))) {
    const allow = endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    app.route({
      method: METHODS.filter((method) => !allow.includes(method)),
      url: path,
      handler: () => {
        throw new Refusal('method_not_allowed', `This path takes ${allow.join(', ')}.`, { allow })
      },
    })
  }
}
