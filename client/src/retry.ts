import { Problem, Unreachable } from './problem.ts'

const firstPauseMs = 250
const longestPauseMs = 20_000
const maxBackoffMs = 8_000
/** How long one call is retried while the rate limit refuses it. */
const maxRateLimitedMs = 120_000

/** Decides whether and when one call is retried. */
export class Retry {
  readonly #tries: number
  readonly #isIdempotent: boolean
  readonly #startMs = performance.now()
  #failures = 0
  #refusals = 0
  /** Whether an attempt may have been carried out: it got no response, or one of a proxy. */
  hasLostResponse = false

  constructor(tries: number, isIdempotent: boolean) {
    this.#tries = tries
    this.#isIdempotent = isIdempotent
  }

  /** Returns undefined when a retry is useless or unsafe. A 429 had no effect, so it does not count as an attempt. */
  delayAfter(failure: unknown): number | undefined {
    if (this.#tries <= 1) return undefined
    if (failure instanceof Problem && failure.status === 429) {
      const isOver = performance.now() - this.#startMs > maxRateLimitedMs
      return isOver ? undefined : retryDelayMs(++this.#refusals, failure, this.#isIdempotent)
    }
    this.hasLostResponse = true
    return ++this.#failures < this.#tries ? retryDelayMs(this.#failures, failure, this.#isIdempotent) : undefined
  }
}

/** Returns the delay before the next attempt; undefined when a retry is useless or unsafe. */
export function retryDelayMs(attempt: number, failure: unknown, isIdempotent: boolean): number | undefined {
  if (failure instanceof Unreachable) return isIdempotent ? backoffMs(attempt) : undefined
  if (!(failure instanceof Problem) || !isPassing(failure, isIdempotent)) return undefined
  const askedMs = (failure.retryAfterSeconds ?? 0) * 1000
  return askedMs > longestPauseMs ? undefined : askedMs + backoffMs(attempt)
}

/** A 429 is refused before anything is done; the effect of other failures is unknown. */
function isPassing({ status, code }: Problem, isIdempotent: boolean): boolean {
  if (status === 429 || code === 'idempotency_key_in_use') return true
  return isIdempotent && [408, 502, 503, 504].includes(status)
}

/** Exponential backoff with full jitter, so that calls refused together are not retried together. */
function backoffMs(attempt: number): number {
  return Math.random() * Math.min(maxBackoffMs, firstPauseMs * 2 ** attempt)
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
