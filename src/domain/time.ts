/** An edge of a period: a date without a time of day means the beginning of its day for `start`, the end for `end`. */
export type WindowEdge = 'start' | 'end'

const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/

const dayMs = 86_400_000
const earliestMs = Date.parse('0001-01-01T00:00:00Z')
const latestMs = Date.parse('9999-12-31T23:59:59.999Z')
/** Unix times below this number are in seconds (up to the year 5138), others in milliseconds (from March 1973 on). */
const largestUnixSeconds = 100_000_000_000

export const dateTimeForms =
  'a real one from year 1 to 9999, ISO 8601 ("2026-11-15T08:30:00Z", "2026-11-15T08:30:00", "2026-11-15 08:30:00", "2026-11-15") or Unix time as a number'

/** Accepts every form of a date-time. Returns ISO 8601 in UTC with milliseconds. */
export function parseDateTime(value: unknown, edge: WindowEdge, timezone: string): string | undefined {
  const ms =
    typeof value === 'number' ? fromUnix(value) : typeof value === 'string' ? fromIso(value, edge, timezone) : NaN
  return ms >= earliestMs && ms <= latestMs ? new Date(ms).toISOString() : undefined
}

/** Returns whether the instant of a date, with or without a time of day, depends on a time zone. */
export function isLocalTime(value: unknown): boolean {
  const match = typeof value === 'string' ? dateTime.exec(value) : null
  return match !== null && match[8] === undefined
}

function fromUnix(value: number): number {
  return Math.trunc(Math.abs(value) < largestUnixSeconds ? value * 1000 : value)
}

/** Matches the form that most systems send, `2026-11-15T08:30:00Z`, which Date.parse reads correctly. */
const plainUtc = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/

function fromIso(text: string, edge: WindowEdge, timezone: string): number {
  if (plainUtc.test(text)) {
    const ms = Date.parse(text)
    // Refuses February 30, which Date.parse would take for March 1 or 2.
    return new Date(ms).getUTCDate() === Number(text.slice(8, 10)) ? ms : NaN
  }
  const match = dateTime.exec(text)
  if (match === null) return NaN
  const [, year, month, day, hour, minute, second = '00', fraction = '', offset] = match
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return NaN
  // Many systems send 9999-12-31 for "no end". The end of that day stays in the year 9999, since ISO 8601 writes 10000
  // differently.
  if (hour === undefined) return Math.min(inZone(edge === 'start' ? midnight : midnight + dayMs, timezone), latestMs)
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return NaN
  const clock = (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * 1000
  const local = midnight + clock + Number(fraction.padEnd(3, '0').slice(0, 3))
  return offset === undefined ? inZone(local, timezone) : local - offsetMs(offset)
}

function offsetMs(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(3).replace(':', ''))
  if (hours > 23 || minutes > 59) return NaN
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/**
 * When clocks change, a time that occurs twice means its first occurrence, and one that is skipped is moved forward by
 * the length of the gap (`disambiguation: "compatible"` of Temporal).
 */
function inZone(localMs: number, timezone: string): number {
  const before = zoneOffsetMs(localMs - dayMs, timezone)
  const after = zoneOffsetMs(localMs + dayMs, timezone)
  const fits = [before, after]
    .map((offset) => localMs - offset)
    .filter((ms) => ms + zoneOffsetMs(ms, timezone) === localMs)
  return fits.length > 0 ? Math.min(...fits) : localMs - before
}

const formats = new Map<string, Intl.DateTimeFormat>()

function zoneOffsetMs(ms: number, timezone: string): number {
  if (timezone === 'UTC') return 0
  let format = formats.get(timezone)
  if (format === undefined) {
    const digits = '2-digit'
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
      second: digits,
    })
    formats.set(timezone, format)
  }
  const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
}

export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Returns the current time by a clock that is `aheadMs` ahead of real time. */
export function nowIso(aheadMs = 0): string {
  return new Date(Date.now() + aheadMs).toISOString()
}

export function addMs(iso: string, ms: number): string {
  return ms === 0 ? iso : new Date(Date.parse(iso) + ms).toISOString()
}
