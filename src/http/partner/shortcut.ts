import type { Socket } from 'node:net'
import { type Bucket, giveBack, take } from '../../domain/rate-limit.ts'
import { knownToken } from '../../operations/authenticate.ts'
import { readyAnswer } from '../../operations/ready.ts'
import type { KnownToken } from '../../storage/memory/partners.ts'
import type { KeptAnswer } from '../../storage/memory/ready-answer.ts'
import type { TagAlone } from '../../storage/memory/tags.ts'
import { marked, noBody } from '../answer.ts'
import { chooseEncoding, type Encoding } from '../compression.ts'
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
      if (token === undefined) return undefined
      const { route, facility } = found as Found
      const knowsOne = headers['if-none-match'] !== undefined
      const answer = readyAnswer(db.memory, token.partner, { kind: route.kind, facility, knowsOne })
      if (answer === undefined) return undefined
      const limit = limitOf(token, config.rateLimit)
      const bucket = limit === null ? undefined : limiter.bucketOf(token, limit)
      const security = securityLines(proxies.isEncrypted(from, headers))
      return shortAnswer({ route, facility, headers, answer, bucket, token, caller, security })
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
  answer: KeptAnswer | TagAlone
  bucket: Bucket | undefined
  token: KnownToken
  caller: Caller
  security: string
}

/** Nothing when there is more to do than to write it. */
function shortAnswer(hand: Hand): ShortAnswer | undefined {
  const { route, facility, headers, answer, bucket, token, caller: from, security } = hand
  const encoding = chooseEncoding(headers['accept-encoding'], answer.length)
  const { etag } = answer
  const isUnchanged = isKnown(headers['if-none-match'], etag)
  const body = isUnchanged ? noBody : bodyOf(answer, encoding)
  if (body === undefined) return undefined
  const rate = bucket === undefined ? '' : admit(bucket, isUnchanged)
  if (rate === undefined) return undefined
  const requestId = usableRequestId(headers['x-request-id'])
  const lines = `${security}${route.lines}x-request-id: ${requestId}\r\n${rate}`
  if (isUnchanged) {
    const head = headOf(304, `${lines}etag: ${marked(etag, encoding)}\r\n`)
    return { status: 304, head, body, route, token, requestId, facility, from }
  }
  const about = encoding === undefined ? bodyLines(etag, body.length) : encodedLines(etag, encoding, body)
  return { status: 200, head: headOf(200, lines + about), body, route, token, requestId, facility, from }
}

/** As it stands there; nothing when only its tag does, or it was not asked for in this encoding yet. */
function bodyOf(answer: KeptAnswer | TagAlone, encoding: Encoding | undefined): Buffer | undefined {
  return encoding === undefined ? answer.body : answer.encoded?.get(encoding)
}

/** Takes one request from the bucket and says what is left; nothing when there is none. A 304 costs nothing. */
function admit(bucket: Bucket, isUnchanged: boolean): string | undefined {
  if (!take(bucket, thisMoment().runningMs)) return undefined
  if (isUnchanged) giveBack(bucket)
  return rateLines(bucket)
}
