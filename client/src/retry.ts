import { Problem, Unreachable } from './problem.ts'

const firstPauseMs = 250
const longestPauseMs = 20_000

/** How long to wait before the next try; nothing when another one is no use, or could do harm. */
export function pauseBefore(attempt: number, failure: unknown, isRepeatable: boolean): number | undefined {
  if (failure instanceof Unreachable) return isRepeatable ? backoffMs(attempt) : undefined
  if (!(failure instanceof Problem) || !isPassing(failure, isRepeatable)) return undefined
  const askedMs = (failure.retryAfterSeconds ?? 0) * 1000
  return askedMs > longestPauseMs ? undefined : Math.max(askedMs, backoffMs(attempt))
}

/** 429 was refused before anything was done. What the others did is not known for certain. */
function isPassing({ status, code }: Problem, isRepeatable: boolean): boolean {
  if (status === 429 || code === 'idempotency_key_in_use') return true
  return isRepeatable && [408, 502, 503, 504].includes(status)
}

/** Twice as long each time, anywhere in it, so that many who were refused together do not come back together. */
function backoffMs(attempt: number): number {
  return Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt)
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason)
      },
      { once: true },
    )
  })
}
