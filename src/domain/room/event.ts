import type { ReadField } from '../access/grant.ts'
import type { StoredEntry } from '../audit/audit-seal.ts'
import type { EntryChanges } from '../audit/entry-changes.ts'
import { type Device, deviceView } from '../facility.ts'

export const eventTypes = [
  'facility.created',
  'facility.updated',
  'facility.removed',
  'autocomplete_list.replaced',
  'areas.changed',
  'area.opened',
  'area.closed',
  'area.moved',
  'services.added',
  'service.changed',
  'service.deleted',
  'service.started',
  'service.ending',
  'service.ended',
  'token.expiring',
] as const

export type EventType = (typeof eventTypes)[number]

/** An event, before the check whether a partner may see it. */
export interface PartnerEvent {
  type: EventType
  /** The field that a partner must be allowed to read to receive the event; null when seeing the facility is enough. */
  need: ReadField | null
  /** The external id of the facility; null for an event of the partner itself. */
  facility: string | null
  /** The full id of the room; null for an event of a facility or partner. */
  area: string | null
  occurredAt: string
  data: Record<string, unknown>
  /** The contents are read from the row of the room, so that a purge of the room removes them from events too. */
  services?: ServicesOfEvent
}

export interface ServicesOfEvent {
  cycle: string | null
  ids: string[]
  /** Whether the event shows an array of subscriptions (services of a room) or a single one. */
  isList: boolean
  /** Hashes of field names that the partner defined. Only the subscription holds the plain names; see `loggedKeys`. */
  hashedKeys?: string[]
}

interface Detail {
  /** The time of the change by the sandbox's clock; set only for a change in a sandbox whose clock was moved. */
  clock?: string
  property: string
  before: unknown
  after: unknown
  changes: ChangedKey[]
  areas: number
  areas_created: number
  areas_updated: number
  areas_removed: number
  cycle: string | null
  from: string
  to: string
  added: { id: string }[]
  deleted: { id: string }
  changed: { id: string; keys: string[] }[]
  removed: { id: string }[]
  service: { id: string; moment: string }
  name: string
  expires_at: string
}

interface ChangedKey {
  key: string
  before?: unknown
  after?: unknown
  list?: EntryChanges
}

type EntryInFacility = StoredEntry & { facility: string }
type ToEvents = (entry: EntryInFacility, detail: Detail) => PartnerEvent[]

/** Maps each property of a facility that partners can see to the grant needed to read it; null if none is needed. */
const properties = new Map<string, ReadField | null>([
  ['name', null],
  ['status', null],
  ['type', 'type'],
  ['ssid_public', 'ssid_public'],
  ['subscription_url', 'subscription_url'],
  ['subscribed', 'subscribed'],
  ['address', 'address'],
  ['devices', 'devices'],
])

const moment =
  (type: EventType): ToEvents =>
  (entry, { cycle, service }) => [
    { ...inRoom(entry, type, { cycle, id: service.id }, one(cycle, service.id)), occurredAt: service.moment },
  ]

const eventsByAction: Record<string, ToEvents> = {
  'facility.create': (entry) => [about(entry, 'facility.created', null, {})],
  'facility.remove': (entry) => [about(entry, 'facility.removed', null, {})],
  'facility.change': (entry, { property, before, after }) => updated(entry, { key: property, before, after }),
  'facility.update': (entry, detail) => [
    ...(detail.changes ?? []).flatMap((change) => updated(entry, change)),
    ...areasChanged(entry, detail),
  ],
  'autocomplete_list.replace': (entry, detail) => [listReplaced(entry, detail as unknown as EntryChanges)],
  'room.open': (entry, { cycle }) => [inRoom(entry, 'area.opened', { cycle })],
  'room.close': (entry, { cycle }) => [inRoom(entry, 'area.closed', { cycle })],
  'room.move': (entry, { cycle, from, to }) => [inRoom(entry, 'area.moved', { cycle, from, to })],
  'services.add': (entry, detail) => [added(entry, detail)],
  'services.delete': (entry, { cycle, deleted: { id } }) => [inRoom(entry, 'service.deleted', { cycle, id })],
  'services.change': changed,
  'services.replace': (entry, detail) => [
    ...detail.removed.map(({ id }) => inRoom(entry, 'service.deleted', { cycle: detail.cycle, id })),
    ...changed(entry, detail),
    ...(detail.added.length > 0 ? [added(entry, detail)] : []),
  ],
  'service.start': moment('service.started'),
  'service.near_end': moment('service.ending'),
  'service.end': moment('service.ended'),
}

/** Returns the events of an audit entry; an empty array if partners get no events for its action. */
export function eventsIn(entry: StoredEntry): PartnerEvent[] {
  const { facility, action } = entry
  if (action === 'token.near_end') return [tokenExpiring(entry, JSON.parse(entry.detail))]
  const of = eventsByAction[action]
  if (facility === null || of === undefined) return []
  const detail: Detail = JSON.parse(entry.detail)
  return of({ ...entry, facility, at: detail.clock ?? entry.at }, detail)
}

/** Returns an event about the partner itself, not about a facility. */
function tokenExpiring({ at, subject }: StoredEntry, { name, expires_at }: Detail): PartnerEvent {
  const data = { id: subject, name, expires_at }
  return { type: 'token.expiring', need: null, facility: null, area: null, occurredAt: at, data }
}

function about(
  { facility, at }: EntryInFacility,
  type: EventType,
  need: ReadField | null,
  data: Record<string, unknown>,
): PartnerEvent {
  return { type, need, facility, area: null, occurredAt: at, data }
}

function inRoom(
  entry: EntryInFacility,
  type: EventType,
  data: Record<string, unknown>,
  services?: ServicesOfEvent,
): PartnerEvent {
  return { ...about(entry, type, 'areas', data), area: entry.subject, ...(services && { services }) }
}

function added(entry: EntryInFacility, { cycle, added: services }: Detail): PartnerEvent {
  const ids = services.map(({ id }) => id)
  return inRoom(entry, 'services.added', { cycle, ids }, { cycle, ids, isList: true })
}

function changed(entry: EntryInFacility, { cycle, changed: services }: Detail): PartnerEvent[] {
  return services.map(({ id, keys }) => {
    const hashedKeys = keys.filter((key) => key.startsWith('#'))
    const plain = keys.filter((key) => !key.startsWith('#'))
    return inRoom(entry, 'service.changed', { cycle, id, changed: plain }, { ...one(cycle, id), hashedKeys })
  })
}

function one(cycle: string | null, id: string): ServicesOfEvent {
  return { cycle, ids: [id], isList: false }
}

function updated(entry: EntryInFacility, { key, before, after, list }: ChangedKey): PartnerEvent[] {
  if (key === 'areas_autocomplete_list') return [listReplaced(entry, list)]
  const need = properties.get(key)
  if (need === undefined) return []
  // The audit entry, and so the event, lacks values that are too large: partners read them from the facility.
  const values = before === undefined && after === undefined ? {} : { old: shown(before), new: shown(after) }
  return [about(entry, 'facility.updated', need, { property: key, ...values })]

  function shown(value: unknown): unknown {
    return key === 'devices' ? (value as Device[]).map((device) => deviceView(entry.facility, device)) : value
  }
}

function listReplaced(entry: EntryInFacility, changes?: EntryChanges): PartnerEvent {
  const { added, removed, renamed, complete } = changes ?? {}
  const data = { added: added ?? [], removed: removed ?? [], renamed: renamed ?? [], complete: complete ?? false }
  return about(entry, 'autocomplete_list.replaced', 'areas_autocomplete_list', data)
}

function areasChanged(
  entry: EntryInFacility,
  { areas_created: added = 0, areas_updated: updatedAreas = 0, areas_removed: removed = 0 }: Detail,
): PartnerEvent[] {
  if (added + updatedAreas + removed === 0) return []
  return [about(entry, 'areas.changed', 'areas', { added, updated: updatedAreas, removed })]
}
