import {
  type Bucket,
  costOf,
  isFull,
  newBucket,
  type RateLimit,
  secondsToFull,
  secondsToNext,
  takeTokens,
} from '../../domain/access/rate-limit.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import { readClock } from '../clock.ts'

/** Limits requests per token, on this node. Finds a bucket by the token's id, as ids have only one spelling. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>()
  #sweepAt = 1000

  bucketOf(token: Pick<CachedToken, 'id'>, limit: RateLimit): Bucket {
    const known = this.#buckets.get(token.id)
    if (known !== undefined && sameLimit(known, limit)) return known
    const nowMs = readClock().monotonicMs
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(nowMs)
    const bucket = newBucket(limit, nowMs)
    this.#buckets.set(token.id, bucket)
    return bucket
  }

  /** Deletes full buckets, which are the same as new ones, so that only tokens used in the last seconds remain. */
  #sweep(nowMs: number): void {
    for (const [id, bucket] of this.#buckets) if (isFull(bucket, nowMs)) this.#buckets.delete(id)
    this.#sweepAt = Math.max(1000, this.#buckets.size * 2)
  }
}

function sameLimit({ limit }: Bucket, other: RateLimit): boolean {
  return limit === other || (limit.perSecond === other.perSecond && limit.burst === other.burst)
}

export function rateLimited(bucket: Bucket, cost: number): Refusal {
  const { burst, perSecond } = bucket.limit
  const each = cost > 1 ? ` This call costs ${cost}.` : ''
  const detail = `This token may send ${burst} requests at once and ${perSecond} per second.${each}`
  return new Refusal('rate_limited', detail, { retryAfterSeconds: secondsToNext(bucket, cost) })
}

/** Charges a bulk call. Takes one token less than the operations cost: the request itself has already cost one. */
export function chargeOperations(bucket: Bucket | undefined, operations: number): void {
  if (bucket === undefined) return
  const cost = costOf(operations, bucket.limit)
  if (!takeTokens(bucket, cost - 1, readClock().monotonicMs)) throw rateLimited(bucket, cost)
}

/** Returns the headers RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers). */
export function rateHeaders(bucket: Bucket): Record<string, string> {
  return { 'ratelimit-policy': policyOf(bucket.limit), ratelimit: stateOf(bucket) }
}

function policyOf({ burst, perSecond }: RateLimit): string {
  return `"partner";q=${burst};w=${Math.ceil(burst / perSecond)}`
}

function stateOf(bucket: Bucket): string {
  return `"partner";r=${Math.max(0, Math.floor(bucket.tokens))};t=${secondsToFull(bucket)}`
}
