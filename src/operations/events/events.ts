import type { StoredEntry } from '../../domain/audit/audit-seal.ts'
import { parseExactly } from '../../domain/exact-json.ts'
import { permit } from '../../domain/permission.ts'
import { type EventType, eventsIn, type PartnerEvent, type ServicesOfEvent } from '../../domain/room/event.ts'
import { cursorExpired, EventIds, entryBefore, eventOffset, lastOffsetOf } from '../../domain/room/event-offset.ts'
import { parseSubscription } from '../../domain/room/stored-room.ts'
import { findRoom, type RoomWithSubscriptions } from '../../storage/area.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { Db } from '../../storage/database.ts'
import { eventSecret } from '../../storage/webhook/event-secret.ts'

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

/** Of one look: whoever may see little of a busy estate is told so far, and asks again from there. */
const entriesAtMost = 200
/** What is read in one go, in characters; others are answered in between. */
const enough = 1_048_576

type Visible = PartnerEvent & { place: number; isOwn: boolean }

/**
 * What happened after a place, as far as this partner may read it now. What its guests have is read where it stands: an
 * event says no more of it than an answer about the room would.
 */
export async function eventsFor(db: Db, partner: CachedPartner, after: number, wanted: EventsWanted): Promise<Found> {
  const upTo = await db.auditFeed.advance()
  const entries = await db.auditFeed.entriesAfter(entryBefore(after), upTo, entriesAtMost)
  if (entries.some(({ action }) => action === 'database.restore')) throw cursorExpired()
  const end =
    entries.length < entriesAtMost ? Math.max(after, lastOffsetOf(upTo)) : lastOffsetOf(entries.at(-1)?.seq ?? 0)
  const { visible, last = end } = visibleIn(entries, partner, after, wanted)
  const events = await furnish(db, partner, visible)
  const told = events.length < visible.length ? (events.at(-1)?.place ?? after) : last
  return { events, last: told, more: told < end || entries.length === entriesAtMost }
}

/** As many as are wanted, and the place up to which was looked where that is not all. */
function visibleIn(
  entries: StoredEntry[],
  partner: CachedPartner,
  after: number,
  { limit, ownToo }: EventsWanted,
): { visible: Visible[]; last?: number } {
  const visible: Visible[] = []
  let read = 0
  for (const entry of entries) {
    const isOwn = entry.actor_kind === 'partner' && entry.actor === partner.id
    if ((isOwn && !ownToo) || entry.facility === null || permit(partner, entry.facility, 'none') === 'hidden') continue
    for (const [index, event] of eventsIn(entry).entries()) {
      const place = eventOffset(entry.seq, index)
      if (place <= after || !maySee(partner, event)) continue
      if (visible.push({ ...event, place, isOwn }) === limit) return { visible, last: place }
    }
    read += entry.detail.length
    if (read > enough) return { visible, last: lastOffsetOf(entry.seq) }
  }
  return { visible }
}

function maySee(partner: CachedPartner, { facility, need }: PartnerEvent): boolean {
  return typeof permit(partner, facility, need === null ? 'none' : { read: need }) !== 'string'
}

/** As they are answered; fewer where rooms hold much. */
async function furnish(db: Db, partner: CachedPartner, events: Visible[]): Promise<FoundEvent[]> {
  if (events.length === 0) return []
  const names = new EventIds(await eventSecret(db), partner.id)
  return db.read(async (tx) => {
    const found: FoundEvent[] = []
    let read = 0
    for (const event of events) {
      const { services, area, place } = event
      const room = services && area !== null ? await findRoom(tx, area) : undefined
      found.push({ place, view: viewOf(event, names.id(place), services && contentOf(services, room)) })
      read += room?.subscriptions.reduce((sum, json) => sum + json.length, 0) ?? 0
      if (read > enough) break
    }
    return found
  })
}

function viewOf({ type, occurredAt, facility, area, isOwn, data }: Visible, id: string, content = {}): EventView {
  return {
    id,
    type,
    occurred_at: occurredAt,
    facility,
    ...(area !== null && { area }),
    origin: isOwn ? 'self' : 'other',
    data: { ...data, ...content },
  }
}

/** Nothing once the cycle has ended; what was deleted alone is missing from the list. */
function contentOf({ cycle, ids, isList }: ServicesOfEvent, found: RoomWithSubscriptions | undefined) {
  const isPresent = found !== undefined && found.room.cycle === cycle
  const present = isPresent ? found.subscriptions.filter((json) => ids.includes(parseSubscription(json).id)) : undefined
  const services = present?.map(parseExactly)
  return isList ? { services: services ?? null } : { service: services?.[0] ?? null }
}

/** Resolves when there may be more after this place, or when it is no longer waited for. */
export function whenChanged(db: Db, after: number, signal: AbortSignal): Promise<void> {
  return db.auditFeed.waitForEntriesAfter(entryBefore(after), signal)
}

/** For whoever begins to follow: all that comes is after it. */
export async function newestPlace(db: Db): Promise<number> {
  return lastOffsetOf(await db.auditFeed.advance())
}
