import { hash } from 'node:crypto'
import { parseExactly } from '../exact-json.ts'
import { isObject } from '../json.ts'

// An entry of the audit log is also what events are made from, and pages of a hundred entries are read at once: its
// detail stays short. Values that make it long are stored apart, by their SHA-256, and the detail lists these hashes
// under `stored`. The seal of an entry therefore covers its stored values too.

/** One value before and after; null where there was, or is, none. */
export interface ValueChange {
  key: string
  before?: unknown
  after?: unknown
  [more: string]: unknown
}

/** Of two objects with the same keys, those values that differ. */
export function changesBetween(before: Record<string, unknown>, after: Record<string, unknown>): ValueChange[] {
  return Object.keys(after)
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => ({ key, before: before[key], after: after[key] }))
}

/** A room before and after, with only the fields that changed; null where it did not exist, or no longer does. */
export interface AreaChange {
  /** The short id. */
  id: string
  before: AreaFields | null
  after: AreaFields | null
}

export interface AreaFields {
  name?: string
  data_general?: object[]
}

export interface StoredValue {
  hash: string
  value: string
}

interface LongDetail {
  changes?: ValueChange[]
  area_changes?: AreaChange[]
}

/** In characters of JSON: of one value before and after, and of all rooms of an entry. */
const maxInlineLength = 16_384
const areasPerValue = 1000

/** Takes the long values out of a detail, one at a time, and returns what remains of it. */
export function* takeLongValues(detail: LongDetail): Generator<StoredValue, object> {
  const { changes, area_changes: areas } = detail
  const stored: string[] = []
  const store = (part: LongDetail): StoredValue => {
    const value = JSON.stringify(part)
    const found = { hash: hash('sha256', value, 'hex'), value }
    stored.push(found.hash)
    return found
  }
  const remaining: ValueChange[] = []
  for (const change of changes ?? []) {
    const { before, after, ...named } = change
    const isLong = JSON.stringify([before, after]).length > maxInlineLength
    if (isLong) yield store({ changes: [{ key: change.key, before, after }] })
    remaining.push(isLong ? named : change)
  }
  const areAreasLong = areas !== undefined && (areas.length > areasPerValue || lengthOf(areas) > maxInlineLength)
  for (let at = 0; areAreasLong && at < areas.length; at += areasPerValue) {
    yield store({ area_changes: areas.slice(at, at + areasPerValue) })
  }
  if (stored.length === 0) return detail
  const { area_changes: _areas, ...rest } = detail
  return { ...(areAreasLong ? rest : detail), ...(changes && { changes: remaining }), stored }
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length
}

/** The hashes of the values that are stored apart. */
export function storedValuesOf(detail: unknown): string[] {
  const stored = isObject(detail) ? detail.stored : undefined
  return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []
}

/** The detail with its stored values in their places. */
export function wholeDetail(detail: Record<string, unknown>, values: string[]): Record<string, unknown> {
  if (values.length === 0) return detail
  const { stored: _stored, ...whole } = detail
  const parts = values.map((value) => parseExactly(value) as LongDetail)
  const long = new Map(parts.flatMap(({ changes = [] }) => changes.map((change) => [change.key, change])))
  const areas = parts.flatMap(({ area_changes = [] }) => area_changes)
  const changes = (whole.changes as ValueChange[] | undefined)?.map((one) => ({ ...one, ...long.get(one.key) }))
  return { ...whole, ...(changes && { changes }), ...(areas.length > 0 && { area_changes: areas }) }
}
