import { hash } from 'node:crypto'
import { parseExactly } from '../exact-json.ts'
import { isObject } from '../json.ts'

// Keeps the details of audit entries short, since events are derived from pages of up to 200 entries. Long values are
// stored in a table of their own under their SHA-256, and the detail lists these hashes under `stored`, so that the
// seal (a hash over entries) covers the long values too.

/** `before` or `after` is null where the value did not exist. */
export interface ValueChange {
  key: string
  before?: unknown
  after?: unknown
  [more: string]: unknown
}

export function changesBetween(before: Record<string, unknown>, after: Record<string, unknown>): ValueChange[] {
  return Object.keys(after)
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => ({ key, before: before[key], after: after[key] }))
}

/** `before` is null when the room was created, `after` when it was removed. */
export interface AreaChange {
  id: string
  before: AreaFields | null
  after: AreaFields | null
}

export interface AreaFields {
  name?: string
  data_general?: object[]
}

interface StoredValue {
  hash: string
  value: string
}

interface LongDetail {
  changes?: ValueChange[]
  area_changes?: AreaChange[]
}

/** The maximum length, in characters of JSON, of one changed value, or of all changed rooms together. */
export const maxInlineLength = 16_384
const areasPerValue = 1000

/** Yields the long values of a detail. Returns the detail with the hashes of these values in their place. */
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

/** Returns the hashes of long values that a detail refers to. */
export function storedValuesOf(detail: unknown): string[] {
  const stored = isObject(detail) ? detail.stored : undefined
  return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []
}

/** Puts long values (`values`, as JSON) back into a detail; the reverse of `takeLongValues`. */
export function wholeDetail(detail: Record<string, unknown>, values: string[]): Record<string, unknown> {
  if (values.length === 0) return detail
  const { stored: _stored, ...whole } = detail
  const parts = values.map((value) => parseExactly(value) as LongDetail)
  const long = new Map(parts.flatMap(({ changes = [] }) => changes.map((change) => [change.key, change])))
  const areas = parts.flatMap(({ area_changes = [] }) => area_changes)
  const changes = (whole.changes as ValueChange[] | undefined)?.map((one) => ({ ...one, ...long.get(one.key) }))
  return { ...whole, ...(changes && { changes }), ...(areas.length > 0 && { area_changes: areas }) }
}
