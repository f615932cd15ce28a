import { isObject } from '../domain/json.ts'
import type { Fault } from '../domain/refusal.ts'
import type { Subscription } from '../domain/room/stored-room.ts'
import { draftOne, type SubscriptionLimits } from '../domain/room/subscription.ts'
import type { WantedRoom } from '../domain/room/wanted-room.ts'
import { isLocalTime, parseDateTime } from '../domain/time.ts'
import { jsonData } from '../estate/check.ts'
import { shortId } from './convert-facility.ts'
import type { Notes } from './notes.ts'
import type { SeenFacility } from './seen-facility.ts'

type Members = Record<string, unknown>

export interface RoomRules {
  /** The time zone of dates without a UTC offset. If undefined, they are read as UTC, and a note says so. */
  timezone: string | undefined
  limits: SubscriptionLimits
}

/** Returns rooms by short id (without the facility's). Leaves out, with a note, what Atrium cannot store. */
export function convertRooms({ id, areas }: SeenFacility, rules: RoomRules, notes: Notes): Map<string, WantedRoom> {
  const rooms = new Map<string, WantedRoom>()
  const { timezone = 'UTC' } = rules
  for (const area of areas ?? []) {
    const short = shortId(id, area.id_external)
    if (short === undefined) continue
    rooms.set(short, roomOf(area, { ...rules, timezone }, notes, `${id}-${short}`))
    if (rules.timezone === undefined && hasLocalTime(area)) {
      notes.add('rooms with dates without an offset, read as UTC: --timezone names their zone', `${id}-${short}`)
    }
  }
  return rooms
}

interface ZonedRules extends RoomRules {
  timezone: string
}

function servicesOf({ data_services: services }: Members): Members[] {
  return Array.isArray(services) ? services.filter(isObject) : []
}

function hasLocalTime(area: Members): boolean {
  const dates = [area.opened_at, ...servicesOf(area).flatMap(({ start, end }) => [start, end])]
  return dates.some(isLocalTime)
}

function roomOf(area: Members, rules: ZonedRules, notes: Notes, place: string): WantedRoom {
  const subscriptions: Subscription[] = []
  const ids = new Set<string>()
  for (const service of servicesOf(area)) {
    const converted = subscriptionOf(service, rules)
    const fault = typeof converted === 'string' ? converted : ids.has(converted.id) ? 'their id is repeated' : undefined
    if (fault !== undefined) notes.add(`services that Atrium cannot store: ${fault}`, place)
    else if (typeof converted !== 'string') {
      ids.add(converted.id)
      subscriptions.push(converted)
    }
  }
  return { stay: stayOf(area, rules, notes, place), subscriptions }
}

const usableId = /^(?!\.{1,2}$)[\w.~:-]{1,64}$/

/** Converts a service to a subscription with the same id. If Atrium cannot store it, returns the reason as a text. */
function subscriptionOf(service: Members, rules: ZonedRules): Subscription | string {
  const { id } = service
  if (typeof id !== 'string' || !usableId.test(id)) return 'their id is missing or cannot stand in a path'
  const faults: Fault[] = []
  const draft = draftOne(service, '', { ...rules, contract: null }, faults)
  jsonData(rules.limits.jsonDepth)(service, [], (path, message) =>
    faults.push({ pointer: `/${path.join('/')}`, detail: message }),
  )
  const [fault] = faults
  return fault === undefined ? { id, ...draft } : fault.detail
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Returns the stay in a room: null if the room is closed, undefined if that is unknown, because `opened_at` and `cycle`
 * extend the specification and both can be missing from a response.
 */
function stayOf(area: Members, { timezone }: ZonedRules, notes: Notes, place: string): WantedRoom['stay'] {
  const { opened_at: openedAt, cycle } = area
  if (openedAt === undefined && cycle === undefined) {
    notes.add('whether rooms are open, which this installation does not show', place)
    return undefined
  }
  if ((openedAt ?? null) === null && (cycle ?? null) === null) return null
  return {
    cycle: typeof cycle === 'string' && uuid.test(cycle) ? cycle : null,
    openedAt: parseDateTime(openedAt, 'start', timezone) ?? null,
  }
}
