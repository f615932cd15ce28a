import { isLocalTime, parseDateTime, type WindowEdge } from '../domain/time.ts'
import type { JsonDifference } from './json-difference.ts'
import { grantedFields } from './seen-facility.ts'

export type Subject = 'list' | 'facility' | 'areas' | 'entries' | 'room' | 'token'

const dates = new Set(['date_created', 'date_updated'])
/** The date-times of rooms and services, and whether a date alone means the start or the end of its day. */
const edges = new Map<string, WindowEdge>([
  ['start', 'start'],
  ['end', 'end'],
  ['opened_at', 'start'],
])

/**
 * Returns why a difference does not harm partners; undefined if it can. A field that only B, the new
 * installation, returns is harmless, unless it needs a grant: then the grant in B allows too much. `timezone` is that of dates without a UTC offset.
 */
export function toleratedBecause(
  difference: JsonDifference,
  subject: Subject,
  timezone: string | undefined,
): string | undefined {
  const { path, kind } = difference
  const field = path.at(-1) ?? ''
  if (kind === 'order') return subject === 'entries' || subject === 'token' ? undefined : 'lists in another order'
  if (kind === 'changed' && dates.has(field)) return `another ${field}`
  if (kind === 'changed') return sameInstant(difference, timezone)
  if (kind === 'only in A' || isItem(path, subject)) return undefined
  const isGranted = subject === 'facility' && (grantedFields as readonly string[]).includes(field)
  return isGranted ? undefined : `fields that only B has: ${field}`
}

/** Returns whether the path is that of an item of a list, such as an area, and not that of a field. */
function isItem(path: string[], subject: Subject): boolean {
  if (subject === 'list' || subject === 'areas') return path.length === 1 || isServiceItem(path)
  if (subject === 'entries') return path.length === 2
  return subject === 'token' || isServiceItem(path)
}

function isServiceItem(path: string[]): boolean {
  return ['data_services', 'data_general', 'devices'].includes(path.at(-2) ?? '')
}

/** Returns whether a date-time has no UTC offset, so that a time zone decides whether both mean the same instant. */
export function needsTimezone({ path, kind, a, b }: JsonDifference): boolean {
  return kind === 'changed' && edges.has(path.at(-1) ?? '') && [a, b].some(isLocalTime)
}

function sameInstant(difference: JsonDifference, timezone: string | undefined): string | undefined {
  const { path, a, b } = difference
  const edge = edges.get(path.at(-1) ?? '')
  const isLocal = needsTimezone(difference)
  if (edge === undefined || (isLocal && timezone === undefined)) return undefined
  const [first, second] = [a, b].map((value) => parseDateTime(value, edge, timezone ?? 'UTC'))
  if (first === undefined || first !== second) return undefined
  return isLocal ? `times without an offset, read in ${timezone}` : 'times in another form'
}
