const minuteSeconds = 60
const hourSeconds = 3600

/** The delay after the first, second, … consecutive failure; after more failures, the last delay is repeated. */
const backoffSeconds = [
  5,
  30,
  2 * minuteSeconds,
  10 * minuteSeconds,
  30 * minuteSeconds,
  hourSeconds,
  3 * hourSeconds,
  6 * hourSeconds,
]

/** How long all attempts of a webhook may fail before it is disabled. */
export const maxFailingSeconds = 3 * 24 * hourSeconds

const maxRetryAfterSeconds = 6 * hourSeconds

/**
 * Returns the delay before the next attempt of a webhook, after `failures` consecutive failed attempts. It is at least
 * what the receiver requested in Retry-After, up to 6 hours. Up to 20 % of random jitter spreads the retries of
 * webhooks that failed at the same time.
 */
export function retryDelayMs(failures: number, retryAfterSeconds: number | undefined, random = Math.random()): number {
  const planned = backoffSeconds[Math.min(failures, backoffSeconds.length) - 1] ?? 0
  const requested = Math.min(retryAfterSeconds ?? 0, maxRetryAfterSeconds)
  return Math.round(Math.max(planned, requested) * (1 + random / 5) * 1000)
}
