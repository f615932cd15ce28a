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
 * The maximum number of networks that are tracked. Far fewer guess tokens at the same time; beyond it, the network that
 * was seen least recently is evicted.
 */
const maxNetworks = 10_000

/** Valid tokens always pass: many callers can share an address, and one that guesses must not block the others. */
export class WrongTokens {
  readonly #limit: RateLimit | null
  readonly #buckets = new Map<string, Bucket>()

  constructor(limit: RateLimit | null) {
    this.#limit = limit
  }

  /** Returns `error`, or `rate_limited` if the network of this address has sent too many wrong tokens. */
  count(error: unknown, address: string | undefined): unknown {
    if (this.#limit === null || !(error instanceof Refusal) || error.code !== 'token_invalid') return error
    const bucket = this.#bucketOf(networkOf(address ?? ''), this.#limit)
    if (takeToken(bucket, readClock().monotonicMs)) return error
    const detail = 'Too many wrong tokens came from this address.'
    return new Refusal('rate_limited', detail, { retryAfterSeconds: secondsToNext(bucket) })
  }

  /** Moves the bucket to the end of the map, which is in the order of the last use. */
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
