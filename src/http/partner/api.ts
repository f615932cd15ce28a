import type { IncomingHttpHeaders } from 'node:http'
import { requirePartnerRight } from '../../domain/access/partner.ts'
import { type RateLimit, refundToken, takeToken } from '../../domain/access/rate-limit.ts'
import { canBeToken } from '../../domain/access/token.ts'
import { requireSandbox } from '../../domain/sandbox.ts'
import { authenticate, cachedToken } from '../../operations/access/authenticate.ts'
import { cachedRead } from '../../operations/access/cached-read.ts'
import { FollowerLimiter } from '../../operations/events/follower-limiter.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import { readClock } from '../clock.ts'
import type { ServerDependencies } from '../dependencies.ts'
import { bearerSecret } from '../pipeline/bearer.ts'
import { matchesEtag } from '../pipeline/conditions.ts'
import { RateLimiter, rateLimited } from '../pipeline/rate-limiter.ts'
import { type EndpointResult, renderResult, varyFor } from '../pipeline/render.ts'
import type { ApiRequest, ApiResponse, Route } from '../pipeline/request.ts'
import { WrongTokens } from '../pipeline/wrong-tokens.ts'
import { BodyParser } from '../threads/body-parser.ts'
import { createContext, rateLimitOf } from './context.ts'
import { assertKnownDeprecations, deprecationHeaders } from './deprecation.ts'
import type { Endpoint } from './endpoint.ts'
import { partnerEndpoints } from './routes.ts'

export function partnerApi(dependencies: ServerDependencies): Route[] {
  const { config, tracer } = dependencies
  assertKnownDeprecations(config.deprecations)
  const api = new PartnerApi(dependencies)
  return partnerEndpoints.map((endpoint) => {
    const serve = (request: ApiRequest) => api.serve(request, endpoint)
    return {
      method: endpoint.method,
      path: endpoint.path,
      headers: deprecationHeaders(endpoint, config.deprecations),
      isStreamed: endpoint.stream !== undefined,
      handle:
        tracer === undefined ? serve : (request) => tracer.operation(endpoint.operationId, async () => serve(request)),
    }
  })
}

/**
 * The steps before a handler: revalidates the cache, authenticates, limits the rate, sheds load, checks rights. Returns
 * no promise if token and response are cached and the cache was revalidated in this turn of the event loop.
 */
class PartnerApi {
  readonly #dependencies: ServerDependencies
  readonly #limiter = new RateLimiter()
  readonly #bodyParser = new BodyParser()
  readonly #followers = new FollowerLimiter()
  readonly #wrongTokens: WrongTokens
  readonly #vary: string

  constructor(dependencies: ServerDependencies) {
    this.#dependencies = dependencies
    this.#wrongTokens = new WrongTokens(dependencies.config.wrongTokenLimit)
    this.#vary = varyFor(dependencies.config.corsOrigins)
  }

  serve(request: ApiRequest, endpoint: Endpoint): ApiResponse | Promise<ApiResponse> {
    const { cache } = this.#dependencies.db
    const secret = bearerSecret(request.headers)
    // A malformed token causes no query at all, not even the one that revalidates the cache.
    const revalidated = canBeToken(secret) ? cache.ensureFresh() : undefined
    const serveFresh = () => {
      const token = cachedToken(cache, secret, request.from)
      if (token !== undefined) return this.#serveAs(token, request, endpoint)
      return this.#load(secret, request).then((loaded) => this.#serveAs(loaded, request, endpoint))
    }
    return revalidated === undefined ? serveFresh() : revalidated.then(serveFresh)
  }

  async #load(secret: string, { from: { remoteAddress: address = '' } }: ApiRequest): Promise<CachedToken> {
    try {
      return await authenticate(this.#dependencies.db, secret, address)
    } catch (error) {
      throw this.#wrongTokens.count(error, address)
    }
  }

  #serveAs(token: CachedToken, request: ApiRequest, endpoint: Endpoint): ApiResponse | Promise<ApiResponse> {
    const { db, config, tokenUse, overload } = this.#dependencies
    request.token = token
    tokenUse.note(token, readClock().wallMs)
    this.#limitRate(request, token, rateLimitOf(token, config.rateLimit))
    // An overloaded node refuses a write before it reads the body, because reading would add to the load.
    if (!request.isRead) overload.admit('write', db.pending.write)
    requirePartnerPermission(token.partner, endpoint)
    const cached = this.#cached(token, request, endpoint)
    return cached === undefined
      ? this.#run(token, request, endpoint)
      : this.#render(request, { body: cached }, this.#vary)
  }

  #limitRate(request: ApiRequest, token: CachedToken, limit: RateLimit | null): void {
    if (limit === null) return
    const bucket = this.#limiter.bucketOf(token, limit)
    request.bucket = bucket
    if (!takeToken(bucket, readClock().monotonicMs)) throw rateLimited(bucket, 1)
  }

  #cached({ partner }: CachedToken, { params, url, headers }: ApiRequest, { cached: kind }: Endpoint) {
    if (kind === undefined || url.includes('?')) return undefined
    const isEnough = (etag: string) => matchesEtag(headers['if-none-match'], etag)
    return cachedRead(this.#dependencies.db.cache, partner, kind, params.facilityExternalId ?? '', isEnough)
  }

  async #run(token: CachedToken, request: ApiRequest, endpoint: Endpoint): Promise<ApiResponse> {
    const { db } = this.#dependencies
    const reauthenticate = () => authenticate(db, bearerSecret(request.headers), request.from.remoteAddress ?? '')
    const context = createContext(request, { endpoint, token }, this.#dependencies, {
      bodyParser: this.#bodyParser,
      followers: this.#followers,
      reauthenticate,
    })
    const { stream } = endpoint
    if (stream !== undefined && acceptsStream(request.headers)) return streamed(await stream.open(context), this.#vary)
    const result = await endpoint.handle(context)
    return this.#render(request, result, stream ? `${this.#vary}, Accept` : this.#vary)
  }

  #render(request: ApiRequest, result: EndpointResult, vary: string): ApiResponse | Promise<ApiResponse> {
    const response = renderResult(this.#dependencies.db.cache, request, result, vary)
    // A response 304 (not modified) costs almost nothing, so it does not count against the rate limit.
    if (request.bucket !== undefined && !(response instanceof Promise) && response.status === 304) {
      refundToken(request.bucket)
    }
    return response
  }
}

/** Checks the partner itself. Grants on facilities are checked later, by the handler. */
export function requirePartnerPermission(partner: CachedPartner, { right, sandbox }: Endpoint): void {
  if (right !== undefined) requirePartnerRight(partner, right)
  if (sandbox) requireSandbox(partner)
}

const streamType = 'text/event-stream'

function acceptsStream({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.split(',').some((type) => type.split(';')[0]?.trim().toLowerCase() === streamType)
}

function streamed(body: AsyncIterable<string>, vary: string): ApiResponse {
  const headers = {
    'content-type': `${streamType}; charset=utf-8`,
    'cache-control': 'no-store',
    vary: `${vary}, Accept`,
    // Closes the connection at the end of the stream, so that a caller with a revoked token keeps none open.
    connection: 'close',
  }
  return { status: 200, headers, body }
}
