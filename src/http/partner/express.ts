import type { Socket } from 'node:net'
import type { Refusal } from '../../domain/refusal.ts'
import { isWellFormed } from '../../operations/authenticate.ts'
import type { Db } from '../../storage/database.ts'
import { varyFor } from '../answer.ts'
import { asRefusal } from '../errors.ts'
import type { Express } from '../express-lane.ts'
import type { RequestEntry } from '../log.ts'
import { failureOf, reasonOf } from '../observe.ts'
import type { Parts } from '../parts.ts'
import { rateLines } from '../rate-limiter.ts'
import { headOf, linesInOrder, type ReadyMade } from '../ready-made.ts'
import { renderProblem } from '../refuse.ts'
import { usableRequestId } from '../request-id.ts'
import { securityLines } from '../security-headers.ts'
import type { PlainHeaders } from './plain-headers.ts'
import { type PlainRequest, plainRequest } from './plain-request.ts'
import { type PlainRoute, plainRoutes } from './plain-routes.ts'
import { deprecationHeaders } from './plane.ts'
import type { Exchange, Serve } from './serve.ts'
import { type Shortcut, secretIn } from './shortcut.ts'

/** All of `/v1` for requests that have nothing unusual about them. */
export function expressFor(parts: Parts, shortcut: Shortcut, serve: Serve): Express<PlainRequest> {
  const { db, observe, config, proxies, tracer } = parts
  const routeOf = plainRoutes()
  // As on every answer where pages of other origins may ask.
  const always = config.corsOrigins.length > 0 ? { vary: varyFor(config.corsOrigins) } : {}

  const answer = async (request: PlainRequest, route: PlainRoute, socket: Socket): Promise<ReadyMade> => {
    const startMs = performance.now()
    const exchange = exchangeOf(request, route, proxies.from(socket, request.headers).remoteAddress)
    const { requestId } = exchange
    let refusal: Refusal | undefined
    const trace = tracer?.begin(request.headers.traceparent, startMs)
    const served = trace && tracer ? tracer.within(trace, () => serve(exchange)) : serve(exchange)
    const { status, headers, body, isOwn } = await served.catch((error: unknown) => {
      refusal = asRefusal(error)
      return renderProblem(refusal, requestId)
    })
    const all = {
      ...always,
      ...headers,
      ...deprecationHeaders(route.endpoint, config.deprecations),
      'x-request-id': requestId,
      ...(status !== 304 && { 'content-length': String(Buffer.byteLength(body)) }),
    }
    const rate = exchange.bucket === undefined ? '' : rateLines(exchange.bucket)
    const security = securityLines(proxies.isEncrypted(socket, request.headers))
    const durationMs = performance.now() - startMs
    observe({ ...entryOf(exchange), ...reasonOf(refusal), status, durationMs, failure: failureOf(refusal), trace })
    return { status, head: headOf(status, security + linesInOrder(all, rate)), body, isOwn }
  }

  return {
    read: plainRequest,
    ready: ({ method, headers }) => (method === 'GET' ? readyFor(db, headers) : undefined),
    atHand: (request, socket) => {
      const found = mayBeAtHand(request, tracer) ? shortcut.find(request.url, request.headers, socket) : undefined
      if (found !== undefined) shortcut.record(found)
      return found
    },
    find: (request, socket) => {
      const isShort = request.body.length <= config.limits.bodyBytes
      const route = isShort ? routeOf(request.method, request.url) : undefined
      // Connections on which somebody waits for something to happen are the HTTP server's.
      return route === undefined || route.endpoint.stream ? undefined : () => answer(request, route, socket)
    },
  }
}

/** A caller that traces wants to find its own request among the spans, which the shortcut does not know. */
function mayBeAtHand({ method, headers, body }: PlainRequest, tracer: Parts['tracer']): boolean {
  return method === 'GET' && body.length === 0 && (tracer === undefined || headers.traceparent === undefined)
}

function readyFor({ memory }: Db, { authorization }: PlainHeaders): Promise<void> | undefined {
  return isWellFormed(secretIn(authorization)) ? memory.catchUp() : undefined
}

function entryOf(exchange: PlainExchange): Omit<RequestEntry, 'status' | 'durationMs'> {
  const { pattern, params, requestId, method, token, address } = exchange
  return {
    requestId,
    partner: token?.partner.id,
    token: token?.id,
    method,
    route: pattern,
    facility: params.facilityExternalId,
    area: params.areaExternalId,
    from: { remoteAddress: address },
    isPartners: true,
  }
}

/** Nobody waits here. */
const gone = () => AbortSignal.abort()

type PlainExchange = Exchange & PlainRoute

function exchangeOf(request: PlainRequest, route: PlainRoute, address: string | undefined): PlainExchange {
  const { method, url, headers, body } = request
  const requestId = usableRequestId(headers['x-request-id'])
  const bytes = async () => body
  return {
    ...route,
    method,
    url,
    headers,
    requestId,
    address,
    bytes,
    gone,
    waitedMs: 0,
    token: undefined,
    bucket: undefined,
  }
}
