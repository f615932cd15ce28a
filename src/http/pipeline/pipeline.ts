import type { ServerDependencies } from '../dependencies.ts'
import type { Draining } from '../draining.ts'
import { failureOf, reasonOf } from '../observability/observe.ts'
import { probePaths } from '../site/health.ts'
import { cors } from './cors.ts'
import { asRefusal } from './errors.ts'
import { problemResponse } from './problem.ts'
import { rateHeaders } from './rate-limiter.ts'
import { type ApiRequest, type ApiResponse, isStream, type Route } from './request.ts'
import { patternOf, Router } from './router.ts'
import { securityHeaders } from './security-headers.ts'

const underPartners = /^\/v1(?:[/?]|$)/
/** Codes after which the connection is closed, so that unread bytes of the request are not read as a new one. */
const endsConnection = ['body_too_large', 'request_malformed']
const bodilessStatuses = [204, 304]

/**
 * Handles every request. The handler does all from authentication to the body (partner/api.ts, cms/api.ts), so that no
 * spelling of a path avoids it. If it returns no promise, the response is ready in the same turn of the event loop.
 */
export class Pipeline {
  readonly #dependencies: ServerDependencies
  readonly #draining: Draining
  readonly #router: Router
  readonly #patterns: ReadonlyMap<Route, string>
  readonly #cors: ReturnType<typeof cors>

  constructor(dependencies: ServerDependencies, routes: readonly Route[], draining: Draining) {
    const { limits, corsOrigins } = dependencies.config
    this.#dependencies = dependencies
    this.#draining = draining
    this.#router = new Router(routes, limits.headerBytes)
    this.#patterns = new Map(routes.map((route) => [route, patternOf(route)]))
    this.#cors = cors(corsOrigins)
  }

  /** Returns the response, or a promise of it. Never throws or rejects: every error becomes a response. */
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const { proxies, tracer } = this.#dependencies
    request.from = proxies.from(request.peer, request.headers)
    request.isEncrypted = proxies.isEncrypted(request.peer, request.headers)
    if (tracer === undefined) return this.#run(request)
    request.trace = tracer.start(request.headers.traceparent as string | undefined, request.startMs)
    return tracer.run(request.trace, () => this.#run(request))
  }

  /** Logs, counts and traces a request. Called once, when its response was written or its stream has ended. */
  finish(request: ApiRequest, { status }: ApiResponse): void {
    const { id, method, route, token, params, from, refusal, trace, startMs, waitedMs, url } = request
    this.#dependencies.observe({
      requestId: id,
      partner: token?.partner.id,
      token: token?.id,
      method,
      route: route === undefined ? null : (this.#patterns.get(route) ?? null),
      facility: params.facilityExternalId,
      area: params.areaExternalId,
      status,
      roomsNeeded: request.roomsNeeded,
      durationMs: performance.now() - startMs - waitedMs,
      from,
      isProbe: probePaths.includes(route?.path ?? ''),
      isPartners: underPartners.test(route?.path ?? url),
      ...(refusal === undefined ? request.failures : reasonOf(refusal)),
      failure: failureOf(refusal),
      trace,
    })
  }

  /** Logs and counts a request whose response could not be written, as a failed one. */
  fail(request: ApiRequest, error: unknown): void {
    request.refusal = asRefusal(error)
    this.finish(request, problemResponse(request.refusal, request.id))
  }

  #run(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    try {
      const response = this.#dispatch(request)
      if (!(response instanceof Promise)) return this.#complete(request, response)
      return response.then(
        (made) => this.#complete(request, made),
        (error: unknown) => this.#refuse(request, error),
      )
    } catch (error) {
      return this.#refuse(request, error)
    }
  }

  #dispatch(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    if (request.fault !== undefined) throw request.fault
    const preflight = this.#cors.preflight(request)
    if (preflight !== undefined) return preflight
    const { route, params } = this.#router.route(request.method, request.url)
    request.route = route
    request.params = params
    if (!probePaths.includes(route.path)) this.#dependencies.startup.assertOver()
    return route.handle(request)
  }

  #refuse(request: ApiRequest, error: unknown): ApiResponse {
    const refusal = asRefusal(error)
    request.refusal = refusal
    const response = this.#complete(request, problemResponse(refusal, request.id))
    if (endsConnection.includes(refusal.code)) response.headers.connection = 'close'
    return response
  }

  #complete(request: ApiRequest, { status, headers, body }: ApiResponse): ApiResponse {
    const all: Record<string, string> = {
      ...securityHeaders(request.isEncrypted),
      'x-request-id': request.id,
      ...this.#cors.headers(request),
      ...request.route?.headers,
      ...(request.bucket && rateHeaders(request.bucket)),
      ...headers,
    }
    if (!isStream(body) && !bodilessStatuses.includes(status)) all['content-length'] = String(body.length)
    if (this.#draining.endsConnection()) all.connection = 'close'
    return { status, headers: all, body }
  }
}
