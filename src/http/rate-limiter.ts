import type { FastifyReply } from 'fastify'
import type { Caller } from '../domain/partner.ts'
import { type Bucket, giveBack, isFull, newBucket, secondsToFull, secondsToNext, take } from '../domain/rate-limit.ts'
import { Refusal } from '../domain/refusal.ts'

/** Counts each token's requests on this node. The key is the token itself: nothing a caller spells can change it. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>()

  /** Takes one request from the caller's bucket and says on the answer what is left. */
  admit({ token, rateLimit }: Caller, reply: FastifyReply): void {
    if (rateLimit === null) return
    const nowMs = performance.now()
    let bucket = this.#buckets.get(token.id)
    if (bucket === undefined || !sameLimit(bucket, rateLimit)) {
      this.#sweep(nowMs)
      bucket = newBucket(rateLimit, nowMs)
      this.#buckets.set(token.id, bucket)
    }
    const admitted = take(bucket, nowMs)
    announce(reply, bucket)
    if (!admitted) {
      const retryAfterSeconds = secondsToNext(bucket)
      throw new Refusal(
        'rate_limited',
        `This token may send ${rateLimit.burst} requests at once and ${rateLimit.perSecond} per second.`,
        {
          retryAfterSeconds,
        },
      )
    }
  }

  /** An answer that had nothing to say costs nothing. */
  refund({ token }: Caller, reply: FastifyReply): void {
    const bucket = this.#buckets.get(token.id)
    if (bucket === undefined) return
    giveBack(bucket)
    announce(reply, bucket)
  }

  /** A full bucket is as good as none, so the map holds the tokens of the last seconds only. */
  #sweep(nowMs: number): void {
    if (this.#buckets.size < 1000) return
    for (const [id, bucket] of this.#buckets) if (isFull(bucket, nowMs)) this.#buckets.delete(id)
  }
}

function sameLimit({ limit }: Bucket, other: Bucket['limit']): boolean {
  return limit.perSecond === other.perSecond && limit.burst === other.burst
}

function announce(reply: FastifyReply, bucket: Bucket): void {
  const { burst, perSecond } = bucket.limit
  reply.header('ratelimit-policy', `"partner";q=${burst};w=${Math.ceil(burst / perSecond)}`)
  reply.header('ratelimit', `"partner";r=${Math.max(0, Math.floor(bucket.tokens))};t=${secondsToFull(bucket)}`)
}
