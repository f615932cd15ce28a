const minuteSeconds = 60
const hourSeconds = 3600

/** Waits after the first failures; from the last on every wait is as long. */
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

/** An endpoint that has failed for so long is switched off. */
export const maxFailingSeconds = 3 * 24 * hourSeconds

const maxRetryAfterSeconds = 6 * hourSeconds

/** How long to wait after so many failures in a row: up to a fifth longer by chance, so that many do not come together. */
export function retryDelayMs(failures: number, askedSeconds: number | undefined, chance = Math.random()): number {
  const planned = backoffSeconds[Math.min(failures, backoffSeconds.length) - 1] ?? 0
  const asked = Math.min(askedSeconds ?? 0, maxRetryAfterSeconds)
  return Math.round(Math.max(planned, asked) * (1 + chance / 5) * 1000)
}
