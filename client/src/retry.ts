import { Problem, Unreachable } from './problem.ts'

const firstPauseMs = 250
const longestPauseMs = 20_000
const maxBackoffMs = 8_000
/** How long one call is sent again while the rate limit refuses it. */
const maxRateLimitedMs = 120_000

/** Decides whether one call is sent again, and when. */
export class Retry {
  readonly #tries: number
  readonly #isRepeatable: boolean
  readonly #startMs = performance.now()
  #failures = 0
  #refusals = 0

  constructor(tries: number, isRepeatable: boolean) {
    this.#tries = tries
    this.#isRepeatable = isRepeatable
  }

  /** Returns undefined when another try is no use, or could do harm. A 429 did nothing, so it does not count as a try. */
  pauseAfter(failure: unknown): number | undefined {
    if (this.#tries <= 1) return undefined
    if (failure instanceof Problem && failure.status === 429) {
      const isOver = performance.now() - this.#startMs > maxRateLimitedMs
      return isOver ? undefined : pauseBefore(++this.#refusals, failure, this.#isRepeatable)
    }
    return ++this.#failures < this.#tries ? pauseBefore(this.#failures, failure, this.#isRepeatable) : undefined
  }
}

/** Returns how long to wait before the next try; undefined when another one is no use, or could do harm. */
export function pauseBefore(attempt: number, failure: unknown, isRepeatable: boolean): number | undefined {
  if (failure instanceof Unreachable) return isRepeatable ? backoffMs(attempt) : undefined
  if (!(failure instanceof Problem) || !isPassing(failure, isRepeatable)) return undefined
  const askedMs = (failure.retryAfterSeconds ?? 0) * 1000
  return askedMs > longestPauseMs ? undefined : askedMs + backoffMs(attempt)
}

/** 429 was refused before anything was done. What the others did is not known for certain. */
function isPassing({ status, code }: Problem, isRepeatable: boolean): boolean {
  if (status === 429 || code === 'idempotency_key_in_use') return true
  return isRepeatable && [408, 502, 503, 504].includes(status)
}

/** Exponential backoff with full jitter: calls that were refused together do not come back together. */
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
