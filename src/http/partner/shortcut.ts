import type { Socket } from 'node:net'
import { type Bucket, giveBack, take } from '../../domain/rate-limit.ts'
import { knownToken } from '../../operations/authenticate.ts'
import { readyAnswer } from '../../operations/ready.ts'
import type { KeptAnswer } from '../../storage/memory/answers.ts'
import type { KnownToken } from '../../storage/memory/partners.ts'
import { marked, noBody } from '../answer.ts'
import { chooseEncoding } from '../compression.ts'
import { isKnown } from '../conditions.ts'
import { thisMoment } from '../moment.ts'
import type { Parts } from '../parts.ts'
import { type RateLimiter, rateLines } from '../rate-limiter.ts'
import { bodyLines, encodedLines, headOf, type ReadyMade } from '../ready-made.ts'
import { usableRequestId } from '../request-id.ts'
import { securityLines } from '../security-headers.ts'
import type { PlainHeaders } from './plain-headers.ts'
import { limitOf } from './serve.ts'
import type { Found, RouteOf, ShortRoute } from './shortcut-routes.ts'

export interface Shortcut {
  /** The answer to a plain read, when it is at hand; nothing when the whole way must be gone. */
  find(url: string, headers: PlainHeaders, from: Socket): ShortAnswer | undefined
  /** Counts and logs that it is given. */
  record(answer: ShortAnswer): void
}

export interface ShortAnswer extends ReadyMade {
  route: ShortRoute
  token: KnownToken
  requestId: string
  facility: string
  from: Caller
}

type Caller = Pick<Socket, 'remoteAddress'>

/**
 * The reads of facilities whose answer is at hand, for callers that are at hand, without the framework. It refuses
 * nobody: whatever is not plain goes the whole way, where all rules are.
 */
export function shortcutFor(
  { db, config, observe, tokenUse, proxies }: Parts,
  limiter: RateLimiter,
  routeOf: RouteOf,
): Shortcut {
  return {
    find: (url, headers, from) => {
      const found = routeOf(url)
      const caller = proxies.from(from, headers)
      const token = found && knownToken(db.memory, secretIn(headers.authorization), caller)
      const answer = token && readyAnswer(db.memory, token.partner, found.route.kind, found.facility)
      if (answer === undefined) return undefined
      const limit = limitOf(token as KnownToken, config.rateLimit)
      const bucket = limit === null ? undefined : limiter.bucketOf(token as KnownToken, limit)
      const security = securityLines(proxies.isEncrypted(from, headers))
      return shortAnswer({ ...(found as Found), headers, answer, bucket, token: token as KnownToken, caller, security })
    },
    record: ({ token, route, requestId, facility, from, status }) => {
      const { wallMs, runningMs } = thisMoment()
      tokenUse.note(token, wallMs)
      const entry = {
        requestId,
        partner: token.partner.id,
        token: token.id,
        method: 'GET',
        route: route.pattern,
        facility,
        area: undefined,
        status,
        durationMs: performance.now() - runningMs,
        from,
        isPartners: true,
      }
      observe(entry, route.figures[status])
    },
  }
}

const bearer = 'Bearer '

/** In its usual spelling; what is anything else is found in no memory. */
export function secretIn(authorization = ''): string {
  return authorization.startsWith(bearer) ? authorization.slice(bearer.length) : ''
}

interface Hand extends Found {
  headers: PlainHeaders
  answer: KeptAnswer
  bucket: Bucket | undefined
  token: KnownToken
  caller: Caller
  security: string
}

/** Nothing when there is more to do than to write it. */
function shortAnswer(hand: Hand): ShortAnswer | undefined {
  const { route, facility, headers, answer, bucket, token, caller: from, security } = hand
  const encoding = chooseEncoding(headers['accept-encoding'], answer.length)
  const encoded = encoding && answer.encoded?.get(encoding)
  const { etag } = answer
  const isUnchanged = isKnown(headers['if-none-match'], etag)
  if (encoding !== undefined && encoded === undefined && !isUnchanged) return undefined
  const rate = bucket === undefined ? '' : admit(bucket, isUnchanged)
  if (rate === undefined) return undefined
  const requestId = usableRequestId(headers['x-request-id'])
  const lines = `${security}${route.lines}x-request-id: ${requestId}\r\n${rate}`
  if (isUnchanged) {
    const head = headOf(304, `${lines}etag: ${marked(etag, encoding)}\r\n`)
    return { status: 304, head, body: noBody, route, token, requestId, facility, from }
  }
  const about = encoding && encoded ? encodedLines(etag, encoding, encoded) : bodyLines(etag, answer.length)
  const head = headOf(200, lines + about)
  return { status: 200, head, body: encoded ?? answer.body, route, token, requestId, facility, from }
}

/** Takes one request from the bucket and says what is left; nothing when there is none. A 304 costs nothing. */
function admit(bucket: Bucket, isUnchanged: boolean): string | undefined {
  if (!take(bucket, thisMoment().runningMs)) return undefined
  if (isUnchanged) giveBack(bucket)
  return rateLines(bucket)
}
