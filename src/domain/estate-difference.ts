import type { Grant } from './access/grant.ts'
import type { PartnerWithGrants } from './access/partner.ts'
import type { AreaChange, ValueChange } from './audit/audit-detail.ts'
import type { EntryView, LoggedEntryChanges } from './audit/entry-changes.ts'
import {
  type EstateArea,
  type EstateFacility,
  type EstatePartner,
  type FacilityKey,
  facilityKeys,
  type PartnerKey,
  partnerKeys,
} from './estate.ts'
import { parseExactly } from './exact-json.ts'
import type { Address, Device, Facility } from './facility.ts'
import type { Area } from './room/stored-room.ts'

/** A changed field with its key in the estate file. `from` and `to` are set only for scalars, which a plan prints. */
export interface Change {
  key: string
  from?: unknown
  to?: unknown
  /** The change for the audit log, if the printed plan does not show the values: objects, arrays and lists. */
  logged?: { before: unknown; after: unknown } | ListChange
}

/** For the audit log. `before` has all former entries, if the differences in `list` are not enough for an undo. */
export interface ListChange {
  list: LoggedEntryChanges
  before: EntryView[] | undefined
  after_tag: string
}

export function loggedChange(change: Change): ValueChange {
  return { ...changeView(change), ...change.logged }
}

export function changeView({ key, from, to }: Change): { key: string; before?: unknown; after?: unknown } {
  return from === undefined && to === undefined ? { key } : { key, before: from ?? null, after: to ?? null }
}

export interface Difference {
  sign: '+' | '~' | '-'
  noun: 'facility' | 'area' | 'partner'
  /** The id of the facility or partner, or the full id of the area. */
  id: string
  changes: Change[]
  /** The change of an area as the audit log records it. */
  area?: AreaChange
  /** The data that is lost with a removed object, such as "3 open rooms". */
  lost: string[]
}

export interface Tally {
  created: number
  updated: number
  removed: number
  unchanged: number
}

export type EstateTally = Record<'facilities' | 'areas' | 'partners', Tally>

export function emptyTally(): EstateTally {
  const nothing = { created: 0, updated: 0, removed: 0, unchanged: 0 }
  return { facilities: { ...nothing }, areas: { ...nothing }, partners: { ...nothing } }
}

/** The fields to update, and the same changes as the printed plan and the audit log show them. */
interface Changed<T> {
  fields: Partial<T>
  changes: Change[]
}

export function facilityChanges(current: Facility, wanted: EstateFacility): Changed<Facility> {
  const address = wanted.address && mergeAddress(current.address, wanted.address)
  const target = { ...wanted, address: address as Address | null }
  const keys = (Object.keys(facilityKeys) as FacilityKey[]).filter((key) => wanted[key] !== undefined)
  const changed = keys.filter((key) => !isSameValue(key, current[key], target[key]))
  return {
    fields: Object.fromEntries(changed.map((key) => [key, target[key]])),
    changes: changed.map((key) => changeFrom(facilityKeys[key], current[key], target[key])),
  }
}

/** Fields that the estate file omits keep their values, or are null if the facility has no address yet. */
export function mergeAddress(current: Address | null, wanted: Partial<Address>): Partial<Address> {
  const unknown = { street: null, postal_code: null, city: null, region: null }
  return addressInOrder({ ...unknown, ...current, ...wanted })
}

function addressInOrder({ street, postal_code, city, region, country }: Partial<Address>): Partial<Address> {
  return { street, postal_code, city, region, country } as Partial<Address>
}

export function isSameValue(key: FacilityKey, a: unknown, b: unknown): boolean {
  return same(inOrder(key, a), inOrder(key, b))
}

/** Puts the fields of addresses and devices in a fixed order, so that their JSON can be compared. */
function inOrder(key: FacilityKey, value: unknown): unknown {
  if (key === 'address') return value && addressInOrder(value)
  if (key !== 'devices') return value
  return (value as Device[]).map(({ id, type, model, serial, status, area }) => [id, type, model, serial, status, area])
}

export function areaChanges(current: Area, wanted: EstateArea): Changed<Area> {
  const { name, dataGeneral } = wanted
  const fields: Partial<Area> = {}
  const changes: Change[] = []
  if (name !== undefined && name !== current.name) {
    fields.name = name
    changes.push(changeFrom('name', current.name, name))
  }
  if (dataGeneral !== undefined && !same(current.dataGeneral, dataGeneral)) {
    fields.dataGeneral = dataGeneral
    changes.push(changeFrom('data_general', current.dataGeneral, dataGeneral))
  }
  return { fields, changes }
}

export function partnerChanges(current: PartnerWithGrants, wanted: EstatePartner): Changed<PartnerWithGrants> {
  const keys = (Object.keys(partnerKeys) as PartnerKey[]).filter((key) => wanted[key] !== undefined)
  const changed = keys.filter((key) => !same(comparable(key, current[key]), comparable(key, wanted[key])))
  return {
    fields: Object.fromEntries(changed.map((key) => [key, wanted[key]])),
    changes: changed.map((key) => changeFrom(partnerKeys[key], shown(key, current[key]), shown(key, wanted[key]))),
  }
}

/** Parses a contract (the text of a JSON Schema), so that white space in it is not a difference. */
function shown(key: PartnerKey, value: unknown): unknown {
  return key === 'contract' ? contractValue(value as string | null) : value
}

function comparable(key: PartnerKey, value: unknown): unknown {
  return key === 'grants' ? (value as Grant[]).map(sorted) : shown(key, value)
}

export function contractValue(contract: string | null): unknown {
  return contract === null ? null : parseExactly(contract)
}

/** Returns the fields of a grant, for comparisons, with its facilities sorted, since their order has no meaning. */
function sorted({ facilities, read, write, rooms }: Grant): unknown[] {
  return [facilities === '*' ? '*' : facilities.toSorted(), read, write, rooms]
}

export function changeFrom(key: string, from: unknown, to: unknown): Change {
  const isScalar = (value: unknown) => typeof value !== 'object' || value === null
  return isScalar(from) && isScalar(to) ? { key, from, to } : { key, logged: { before: from, after: to } }
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
