import { isObject } from './json.ts'
import { type Refusal, refusalFor } from './refusal.ts'
import { parseDateTime } from './time.ts'

/** `advanceMs` is a duration to advance the clock by. */
export type ClockChange = { now: string } | { advanceMs: number }

const dayMs = 86_400_000
const maxAheadMs = 3653 * dayMs

export function parseClockChange(value: unknown): ClockChange {
  const members = isObject(value) ? Object.entries(value) : []
  const [name, given] = members[0] ?? []
  if (members.length !== 1 || (name !== 'now' && name !== 'advance')) {
    throw refused('', 'must have a time in "now" or a duration in "advance", one of the two and nothing else')
  }
  return name === 'now' ? { now: timeIn(given) } : { advanceMs: durationIn(given) }
}

function timeIn(given: unknown): string {
  const time = parseDateTime(given, 'start', 'UTC')
  if (time !== undefined) return time
  throw refused('/now', 'must be a date-time such as 2026-11-15T08:30:00Z')
}

const duration = /^P(?!$)(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?!$)(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/

function durationIn(given: unknown): number {
  const match = typeof given === 'string' ? duration.exec(given) : null
  if (match === null) {
    throw refused('/advance', 'must be a duration in ISO 8601 such as PT2H, P1DT30M or P2W; months and years are not')
  }
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((count) => Number(count ?? 0))
  return (weeks * 7 + days) * dayMs + ((hours * 60 + minutes) * 60 + seconds) * 1000
}

/** Refuses to move the clock back: events already sent would be due again. (A reset may: it closes all rooms.) */
export function aheadAfterChange(order: ClockChange, aheadMs: number, realMs: number): number {
  const pointer = 'now' in order ? '/now' : '/advance'
  const after = 'now' in order ? Date.parse(order.now) - realMs : aheadMs + order.advanceMs
  if (after < aheadMs) {
    const now = new Date(realMs + aheadMs).toISOString()
    throw refused(pointer, `must be later than the sandbox's time, ${now}; a reset puts the clock back to real time`)
  }
  if (after <= maxAheadMs) return after
  throw refused(pointer, 'must not lead further ahead of real time than ten years')
}

function refused(pointer: string, detail: string): Refusal {
  return refusalFor('body_invalid', 'The clock was not moved.', [{ pointer, detail }])
}
