import type { JsonDifference } from './json-difference.ts'
import { grantedFields } from './seen-facility.ts'

/** The kind of response in which a difference was found. */
export type Subject = 'list' | 'facility' | 'areas' | 'entries' | 'room' | 'token'

const dates = new Set(['date_created', 'date_updated'])

/**
 * Returns why a difference between installations A and B does no harm to partners, or undefined if the difference can
 * do harm. A field that only B returns is harmless, unless a grant controls it: the grant in B then allows too much.
 */
export function toleratedBecause({ path, kind, a, b }: JsonDifference, subject: Subject): string | undefined {
  const field = path.at(-1) ?? ''
  if (kind === 'order') return subject === 'entries' || subject === 'token' ? undefined : 'lists in another order'
  if (kind === 'changed' && dates.has(field)) return `another ${field}`
  if (kind === 'changed') return isSameInstant(a, b) ? 'times in another form' : undefined
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

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

function isSameInstant(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string' || !dateTime.test(a) || !dateTime.test(b)) return false
  return Date.parse(a) === Date.parse(b)
}
