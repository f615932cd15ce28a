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

/** More addresses than guess at one time. Beyond, the one that has been quiet longest is forgotten. */
const addressesAtMost = 10_000

/**
 * Counts wrong tokens by the address they come from. It refuses nobody who has a right one: many callers can share an
 * address, and one who guesses must not shut the others out.
 */
export class WrongTokens {
  readonly #limit: RateLimit | null
  readonly #buckets = new Map<string, Bucket>()

  constructor(limit: RateLimit | null) {
    this.#limit = limit
  }

  /** What to say to a caller who was refused: the same, or that there were too many wrong tokens before this one. */
  judge(error: unknown, address: string | undefined): unknown {
    if (this.#limit === null || !(error instanceof Refusal) || error.code !== 'token_invalid') return error
    const bucket = this.#bucketOf(networkOf(address ?? ''), this.#limit)
    if (takeToken(bucket, readClock().monotonicMs)) return error
    const detail = 'Too many wrong tokens came from this address.'
    return new Refusal('rate_limited', detail, { retryAfterSeconds: secondsToNext(bucket) })
  }

  /** Set anew each time, so that the map is in order of the last wrong token. */
  #bucketOf(network: string, limit: RateLimit): Bucket {
    const nowMs = readClock().monotonicMs
    const bucket = this.#buckets.get(network) ?? newBucket(limit, nowMs)
    this.#buckets.delete(network)
    this.#forgetQuiet(nowMs)
    this.#buckets.set(network, bucket)
    return bucket
  }

  #forgetQuiet(nowMs: number): void {
    for (const [network, bucket] of this.#buckets) {
      if (this.#buckets.size < addressesAtMost && !isFull(bucket, nowMs)) return
      this.#buckets.delete(network)
    }
  }
}
