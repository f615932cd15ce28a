import { networkOf } from '../../domain/access/address-range.ts'
import {
  type Bucket,
  isFull,
  newBucket,
  type RateLimit,
  secondsToNext,
  takeToken,
} from '../../domain/access/rate-limit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { readClock } from '../clock.ts'

/**
 * The maximum number of networks that are tracked; more than guess tokens at one time. Beyond it, the least recently
 * used one is evicted.
 */
const maxNetworks = 10_000

/**
 * Limits the rate of wrong tokens per network. Only wrong tokens are refused: a caller with a right token gets through,
 * because many callers can share an address and one that guesses must not shut the others out.
 */
export class WrongTokens {
  readonly #limit: RateLimit | null
  readonly #buckets = new Map<string, Bucket>()

  constructor(limit: RateLimit | null) {
    this.#limit = limit
  }

  /** Counts a failed authentication. Returns its error, or `rate_limited` when there were too many before it. */
  count(error: unknown, address: string | undefined): unknown {
    if (this.#limit === null || !(error instanceof Refusal) || error.code !== 'token_invalid') return error
    const bucket = this.#bucketOf(networkOf(address ?? ''), this.#limit)
    if (takeToken(bucket, readClock().monotonicMs)) return error
    const detail = 'Too many wrong tokens came from this address.'
    return new Refusal('rate_limited', detail, { retryAfterSeconds: secondsToNext(bucket) })
  }

  /** Returns the bucket of a network. Inserts it again each time, so that the map stays in LRU order. */
  #bucketOf(network: string, limit: RateLimit): Bucket {
    const nowMs = readClock().monotonicMs
    const bucket = this.#buckets.get(network) ?? newBucket(limit, nowMs)
    this.#buckets.delete(network)
    this.#evictQuiet(nowMs)
    this.#buckets.set(network, bucket)
    return bucket
  }

  #evictQuiet(nowMs: number): void {
    for (const [network, bucket] of this.#buckets) {
      if (this.#buckets.size < maxNetworks && !isFull(bucket, nowMs)) return
      this.#buckets.delete(network)
    }
  }
}
