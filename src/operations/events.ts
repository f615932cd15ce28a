import { type EventType, eventsIn, type PartnerEvent, type ServicesOfEvent } from '../domain/event.ts'
import { cursorExpired, endOf, entryBefore, PlaceNames, placeOf } from '../domain/event-place.ts'
import { parseExactly } from '../domain/exact-json.ts'
import { type FurnishedRoom, findRoom } from '../storage/area.ts'
import type { Db } from '../storage/database.ts'
import { eventSecret } from '../storage/event-secret.ts'
import { accessTo, type KnownPartner } from '../storage/memory/partners.ts'

/** An event as it is answered. */
export interface EventView {
  id: string
  type: EventType
  occurred_at: string
  facility: string
  area?: string
  origin: 'self' | 'other'
  data: Record<string, unknown>
}

export interface FoundEvent {
  /** Where it stands among all events; those of an entry of the journal follow one another. */
  place: number
  view: EventView
}

export interface Found {
  events: FoundEvent[]
  /** The place up to which all was looked at, also when nothing of it was for this partner. */
  last: number
  /** Whether there is more to look at behind it. */
  more: boolean
}

export interface EventsWanted {
  limit: number
  /** Those that the partner itself has caused, too. */
  ownToo: boolean
}

/** Of one answer: whoever may see little of a busy estate is told so far, and asks again from there. */
const entriesAtMost = 500

/**
 * What happened after a place, as far as this partner may read it now. What its guests have is read where it stands: an
 * event says no more of it than an answer about the room would.
 */
export async function eventsFor(
  db: Db,
  partner: KnownPartner,
  after: number,
  { limit, ownToo }: EventsWanted,
): Promise<Found> {
  const upTo = await db.journal.reach()
  const entries = await db.journal.entriesAfter(entryBefore(after), upTo, entriesAtMost)
  if (entries.some(({ action }) => action === 'database.restore')) throw cursorExpired()
  const visible: (PartnerEvent & { place: number; isOwn: boolean })[] = []
  const end = entries.length < entriesAtMost ? Math.max(after, endOf(upTo)) : endOf(entries.at(-1)?.seq ?? 0)
  let last = end
  for (const entry of entries) {
    const isOwn = entry.actor_kind === 'partner' && entry.actor === partner.id
    for (const [index, event] of eventsIn(entry).entries()) {
      const place = placeOf(entry.seq, index)
      if (place <= after || (isOwn && !ownToo) || !maySee(partner, event)) continue
      visible.push({ ...event, place, isOwn })
    }
    if (visible.length >= limit) {
      last = visible.length === limit ? endOf(entry.seq) : (visible[limit - 1]?.place ?? last)
      break
    }
  }
  return {
    events: await furnish(db, partner, visible.slice(0, limit)),
    last,
    more: last < end || entries.length === entriesAtMost,
  }
}

function maySee(partner: KnownPartner, { facility, need }: PartnerEvent): boolean {
  const access = accessTo(partner, facility)
  return access !== undefined && (need === null || access.read.has(need))
}

async function furnish(
  db: Db,
  partner: KnownPartner,
  events: (PartnerEvent & { place: number; isOwn: boolean })[],
): Promise<FoundEvent[]> {
  if (events.length === 0) return []
  const names = new PlaceNames(await eventSecret(db), partner.id)
  const rooms = await roomsOf(db, events)
  return events.map(({ place, isOwn, type, occurredAt, facility, area, data, services }) => {
    const content = services && contentOf(services, rooms.get(area ?? ''))
    const view: EventView = {
      id: names.id(place),
      type,
      occurred_at: occurredAt,
      facility,
      ...(area !== null && { area }),
      origin: isOwn ? 'self' : 'other',
      data: { ...data, ...content },
    }
    return { place, view }
  })
}

async function roomsOf(db: Db, events: PartnerEvent[]): Promise<Map<string, FurnishedRoom | undefined>> {
  const ids = new Set(events.flatMap(({ area, services }) => (services && area !== null ? [area] : [])))
  if (ids.size === 0) return new Map()
  return db.read(async (tx) => {
    const found = [...ids].map(async (id) => [id, await findRoom(tx, id)] as const)
    return new Map(await Promise.all(found))
  })
}

/** Nothing once the cycle has ended; what was deleted alone is missing from the list. */
function contentOf({ cycle, ids, isList }: ServicesOfEvent, found: FurnishedRoom | undefined) {
  const isPresent = found !== undefined && found.room.cycle === cycle
  const present = isPresent ? found.subscriptions.filter(({ id }) => ids.includes(id)) : undefined
  const services = present?.map(({ json }) => parseExactly(json))
  return isList ? { services: services ?? null } : { service: services?.[0] ?? null }
}

/** Resolves when there may be more after this place, or when it is no longer waited for. */
export function whenChanged(db: Db, after: number, signal: AbortSignal): Promise<void> {
  return db.journal.whenAfter(entryBefore(after), signal)
}

/** For whoever begins to follow: all that comes is after it. */
export async function newestPlace(db: Db): Promise<number> {
  return endOf(await db.journal.reach())
}
