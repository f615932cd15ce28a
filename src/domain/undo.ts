import type { EstateFacility, FacilityKey } from './estate.ts'
import { facilityKeys } from './estate.ts'
import type { Facility } from './facility.ts'

interface KeyChange {
  key: FacilityKey
  before: unknown
  after: unknown
}

const keyByName = new Map(Object.entries(facilityKeys).map(([key, name]) => [name as string, key as FacilityKey]))

/** What an entry changed of a facility, if that is all it did and it says how it was; else nothing. */
export function changesToUndo(action: string, detail: Record<string, unknown>): KeyChange[] {
  if (action === 'facility.change') {
    const { property, before, after } = detail
    return keyChanges([{ key: property, before, after }])
  }
  if (action !== 'facility.update' || detail.areas_created !== 0 || detail.areas_updated !== 0) return []
  return keyChanges(Array.isArray(detail.changes) ? detail.changes : [])
}

function keyChanges(changes: { key: unknown; before?: unknown; after?: unknown }[]): KeyChange[] {
  const known = changes.flatMap(({ key, before, after }) => {
    const own = keyByName.get(String(key))
    return own === undefined || !isPlain(before) || !isPlain(after) ? [] : [{ key: own, before, after }]
  })
  return known.length === changes.length ? known : []
}

/** An address or devices are told in full, and put back by whoever looks at them. */
function isPlain(value: unknown): boolean {
  return value === null || ['string', 'boolean'].includes(typeof value)
}

/** Whether each of them still has the value that it was given. */
export function isUntouched(facility: Facility, changes: KeyChange[]): boolean {
  return changes.length > 0 && changes.every(({ key, after }) => facility[key] === after)
}

/** The facility with each of them put back. */
export function putBack(idExternal: string, changes: KeyChange[]): EstateFacility {
  return { idExternal, ...Object.fromEntries(changes.map(({ key, before }) => [key, before])) }
}
