import { parseDateTime } from '../../domain/time.ts'
import { Failure } from '../failure.ts'

const secondsOf = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
const maxYears = 100
const maxSeconds = maxYears * 366 * secondsOf.d

function parseSeconds(text: string): number | undefined {
  const match = /^(\d{1,12})([smhdw])$/.exec(text)
  if (match === null) return text === '0' ? 0 : undefined
  return Number(match[1]) * secondsOf[match[2] as keyof typeof secondsOf]
}

/** Parses an expiry: a duration from now, a date (its first moment in UTC), or `never`, which becomes null. */
export function parseExpiry(text: string, nowMs = Date.now()): string | null {
  return text === 'never' ? null : parseFuture(text, nowMs, '--expires', ', or never')
}

/** Parses a time in the future to ISO 8601: a duration from now, or a date (meaning its first moment in UTC). */
export function parseFuture(text: string, nowMs: number, option: string, otherwise = ''): string {
  const seconds = parseSeconds(text)
  if (seconds === undefined) {
    const instant = parseDateTime(text, 'start', 'UTC')
    if (instant === undefined) {
      throw new Failure(
        `"${text}" is not a time for ${option}: use a duration such as 90d or 12h, a date such as 2027-01-01${otherwise}`,
      )
    }
    return within(`${option} ${text}`, Date.parse(instant), nowMs, otherwise)
  }
  return within(`${option} ${text}`, nowMs + seconds * 1000, nowMs, otherwise)
}

function within(given: string, endMs: number, nowMs: number, otherwise: string): string {
  if (endMs <= nowMs) throw new Failure(`${given} is not in the future: use a later time${otherwise}`)
  if (endMs > nowMs + maxSeconds * 1000) {
    throw new Failure(`${given} is more than ${maxYears} years away: use an earlier time${otherwise}`)
  }
  return new Date(endMs).toISOString()
}

export function parseGrace(text: string): number {
  const seconds = parseSeconds(text)
  if (seconds === undefined || seconds > maxSeconds) {
    throw new Failure(
      `"${text}" is not a grace period: use a duration such as 7d or 12h, or 0 to revoke the old token at once`,
    )
  }
  return seconds
}
