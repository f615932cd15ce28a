import type { IncomingHttpHeaders } from 'node:http'
import { demandRight } from '../../domain/partner.ts'
import { type Bucket, giveBack, type RateLimit, secondsToNext, take } from '../../domain/rate-limit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { demandSandbox } from '../../domain/sandbox.ts'
import { Followers } from '../../operations/followers.ts'
import type { KnownPartner, KnownToken } from '../../storage/memory/partners.ts'
import { type Answer, noBody, type Rendered, renderAnswer, varyFor } from '../answer.ts'
import { Apart } from '../apart.ts'
import { tokenOf } from '../authenticate.ts'
import { readBody } from '../body.ts'
import { idempotencyKeyOf, preconditionOf } from '../conditions.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { thisMoment } from '../moment.ts'
import type { Parts } from '../parts.ts'
import { nextPage, readQuery } from '../query.ts'
import type { RateLimiter } from '../rate-limiter.ts'
import { WrongTokens } from '../wrong-tokens.ts'

/** A request of `/v1`, whoever read it off the wire, and what becomes known of it on the way. */
export interface Exchange {
  readonly endpoint: Endpoint
  readonly method: string
  readonly url: string
  readonly params: Call['params']
  readonly headers: IncomingHttpHeaders
  readonly requestId: string
  readonly address: string | undefined
  /** Reads the body, which is left where it is until every check that could refuse the caller is done. */
  bytes(): Promise<Buffer>
  /** Aborted when nobody waits for the answer any more. */
  gone(): AbortSignal
  /** How much of the time was spent waiting for something to happen. */
  waitedMs: number
  token: KnownToken | undefined
  bucket: Bucket | undefined
}

export type Serve = (exchange: Exchange) => Promise<Rendered>

/** The token is asked for here, behind the routes themselves: no spelling of a path goes round it. */
export function partnerService(parts: Parts, limiter: RateLimiter): Serve {
  const { db, config, tokenUse, overload, tracer } = parts
  const apart = new Apart()
  const followers = new Followers()
  const wrongTokens = new WrongTokens(config.wrongTokenLimit)
  const rightToken = async (exchange: Exchange) => {
    try {
      return await tokenOf(db, exchange)
    } catch (error) {
      throw wrongTokens.judge(error, exchange.address)
    }
  }
  const vary = varyFor(config.corsOrigins)
  const serve: Serve = async (exchange) => {
    const token = await rightToken(exchange)
    exchange.token = token
    tokenUse.note(token, thisMoment().wallMs)
    admit(exchange, limiter, limitOf(token, config.rateLimit))
    // Whoever comes to change something is told before its body is read.
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') overload.admit('write', db.underWay.write)
    demandAllowed(token.partner, exchange.endpoint)
    const call = callOf(exchange, token, parts, { apart, followers, recognise: () => tokenOf(db, exchange) })
    const { stream } = exchange.endpoint
    if (stream !== undefined && isStreamWanted(exchange.headers)) return openStream(await stream.open(call), vary)
    const answer = await exchange.endpoint.handle(call)
    const rendered = await renderAnswer(db.memory, exchange, answer, stream ? `${vary}, Accept` : vary)
    // An answer that had nothing to say costs nothing.
    if (rendered.status === 304 && exchange.bucket !== undefined) giveBack(exchange.bucket)
    return rendered
  }
  return tracer === undefined
    ? serve
    : (exchange) => tracer.operation(exchange.endpoint.operationId, () => serve(exchange))
}

/** What is asked of the partner as a whole, whatever the facility. */
export function demandAllowed(partner: KnownPartner, { right, sandbox }: Endpoint): void {
  if (right !== undefined) demandRight(partner, right)
  if (sandbox) demandSandbox(partner)
}

const streamType = 'text/event-stream'

function isStreamWanted({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.split(',').some((type) => type.split(';')[0]?.trim().toLowerCase() === streamType)
}

function openStream(parts: AsyncIterable<string>, vary: string): Rendered {
  const headers = {
    'content-type': `${streamType}; charset=utf-8`,
    'cache-control': 'no-store',
    vary: `${vary}, Accept`,
    // The connection ends with the stream, so that a caller who may no longer follow does not keep one open.
    connection: 'close',
  }
  return { status: 200, headers, body: noBody, parts }
}

/** A partner's own limit, or the service's. */
export function limitOf({ partner }: KnownToken, standard: RateLimit | null): RateLimit | null {
  return partner.ownLimit === undefined ? standard : partner.ownLimit
}

function admit(exchange: Exchange, limiter: RateLimiter, limit: RateLimit | null): void {
  if (limit === null) return
  const bucket = limiter.bucketOf(exchange.token as KnownToken, limit)
  exchange.bucket = bucket
  if (take(bucket, thisMoment().runningMs)) return
  const detail = `This token may send ${limit.burst} requests at once and ${limit.perSecond} per second.`
  throw new Refusal('rate_limited', detail, { retryAfterSeconds: secondsToNext(bucket) })
}

export function callOf(
  exchange: Exchange,
  token: KnownToken,
  { db, config, send }: Pick<Parts, 'db' | 'config' | 'send'>,
  more: Pick<Call, 'apart' | 'followers' | 'recognise'>,
): Call {
  const { endpoint, headers, url, params, requestId, address = null } = exchange
  const { partner } = token
  return {
    db,
    limits: config.limits,
    endingSeconds: config.eventEndingSeconds,
    token,
    partner,
    rateLimit: limitOf(token, config.rateLimit),
    caller: { partner, token, actor: { kind: 'partner', name: partner.id, token: token.id, requestId, address } },
    params,
    precondition: preconditionOf(headers),
    key: () => {
      const key = endpoint.idempotent && idempotencyKeyOf(headers)
      return key ? { key, path: `${endpoint.operationId} ${Object.values(params).join('/')}` } : undefined
    },
    query: () => readQuery(url, endpoint.query),
    body: () => readBody(exchange),
    ...more,
    gone: exchange.gone,
    lastEventId: headers['last-event-id'] as string | undefined,
    waited: (ms) => {
      exchange.waitedMs += ms
    },
    send,
    listed: (list): Answer => {
      if (!('json' in list)) return { body: list }
      const { json, etag, next } = list
      return { body: json, etag, ...(next !== undefined && { headers: { link: nextPage(url, next) } }) }
    },
  }
}
