import type { RateLimit } from '../../domain/access/rate-limit.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { ServerDependencies } from '../dependencies.ts'
import { readBody } from '../pipeline/body.ts'
import { idempotencyKeyOf, preconditionOf } from '../pipeline/conditions.ts'
import { publicCode } from '../pipeline/errors.ts'
import { nextPageLink, parseQuery } from '../pipeline/query.ts'
import { chargeOperations } from '../pipeline/rate-limiter.ts'
import type { EndpointResult } from '../pipeline/render.ts'
import type { ApiRequest } from '../pipeline/request.ts'
import type { Endpoint, PartnerContext } from './endpoint.ts'
import { parameters } from './parameters.ts'

export function rateLimitOf({ partner }: CachedToken, defaultLimit: RateLimit | null): RateLimit | null {
  return partner.ownLimit === undefined ? defaultLimit : partner.ownLimit
}

export function createContext(
  request: ApiRequest,
  { endpoint, token }: { endpoint: Endpoint; token: CachedToken },
  { db, config, send }: Pick<ServerDependencies, 'db' | 'config' | 'send'>,
  more: Pick<PartnerContext, 'bodyParser' | 'followers' | 'reauthenticate'>,
): PartnerContext {
  const { headers, url, id: requestId, from } = request
  const { partner } = token
  const params = request.params as PartnerContext['params']
  const address = from.remoteAddress ?? null
  return {
    db,
    limits: config.limits,
    endingSeconds: config.eventEndingSeconds,
    token,
    partner,
    rateLimit: rateLimitOf(token, config.rateLimit),
    caller: { partner, token, actor: { kind: 'partner', name: partner.id, token: token.id, requestId, address } },
    params,
    precondition: preconditionOf(headers),
    key: () => {
      const key = endpoint.idempotent && idempotencyKeyOf(headers)
      return key ? { key, path: `${endpoint.operationId} ${Object.values(params).join('/')}` } : undefined
    },
    query: () => parseQuery(parameters, url, endpoint.query),
    body: () => readBody(headers, () => request.readBody(config.limits.bodyBytes), endpoint.body?.or),
    ...more,
    abortSignal: () => request.signal(),
    lastEventId: headers['last-event-id'] as string | undefined,
    addWaitMs: (ms) => {
      request.waitedMs += ms
    },
    send,
    noteRoomsNeeded: (operations) => {
      request.roomsNeeded = operations
    },
    noteFailures: ({ code }, failed, operations) => {
      request.failures = { code: publicCode(code), detail: `${failed} of ${operations} operations failed.` }
    },
    charge: (operations) => chargeOperations(request.bucket, operations),
    pageResult: (list): EndpointResult => {
      if (!('json' in list)) return { body: list }
      const { json, etag, next } = list
      return { body: json, etag, ...(next !== undefined && { headers: { link: nextPageLink(url, next) } }) }
    },
  }
}
