import type { StoredEntry } from '../../domain/audit/audit-seal.ts'
import { parseExactly } from '../../domain/exact-json.ts'
import { permit } from '../../domain/permission.ts'
import { type EventType, eventsIn, type PartnerEvent, type ServicesOfEvent } from '../../domain/room/event.ts'
import {
  cursorExpired,
  cursorRemoved,
  EventIds,
  entryBefore,
  eventOffset,
  lastOffsetOf,
} from '../../domain/room/event-offset.ts'
import { parseSubscription } from '../../domain/room/stored-room.ts'
import { hashedKey } from '../../domain/room/subscription-change.ts'
import { findRoom, type RoomWithSubscriptions } from '../../storage/area.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { Db } from '../../storage/database.ts'
import { eventSecret } from '../../storage/webhook/event-secret.ts'

export interface EventView {
  id: string
  type: EventType
  occurred_at: string
  facility?: string
  area?: string
  origin: 'self' | 'other'
  data: Record<string, unknown>
}

export interface FoundEvent {
  /** The position of the event among all events. Events of one audit entry have consecutive offsets. */
  offset: number
  view: EventView
}

interface EventPage {
  events: FoundEvent[]
  /** The offset up to which all events were examined, including those that the partner may not see. */
  last: number
  /** Whether there may be events after `last`. */
  more: boolean
}

export interface EventQuery {
  limit: number
  /** Whether to include events that the partner itself caused. */
  ownToo: boolean
  /** Default: all. */
  types?: readonly EventType[] | undefined
  /** The external id of the facility whose events to return. Default: all facilities. */
  facility?: string | undefined
}

/** The audit entries examined per page: a partner may see only few of them, and a page must not take long. */
const maxEntries = 200
/** The maximum number of characters of JSON that are read per page, so that other requests can run between pages. */
const maxPageLength = 1_048_576

type VisibleEvent = PartnerEvent & { offset: number; isOwn: boolean }

/**
 * Events are derived from the audit log, which has only the ids of services. The content of services is read from the
 * room, so that an event reveals no more than the room does now.
 */
export async function eventsFor(db: Db, partner: CachedPartner, after: number, wanted: EventQuery): Promise<EventPage> {
  const upTo = await db.auditFeed.advance()
  const entries = await db.auditFeed.entriesAfter(entryBefore(after), upTo, maxEntries)
  const oldest = await oldestOffset(db)
  if (oldest !== undefined && after < oldest) throw cursorRemoved()
  if (entries.some(({ action }) => action === 'database.restore')) throw cursorExpired()
  const end = entries.length < maxEntries ? Math.max(after, lastOffsetOf(upTo)) : lastOffsetOf(entries.at(-1)?.seq ?? 0)
  const { visible, last = end } = visibleIn(entries, partner, after, wanted)
  const events = await withContent(db, partner, visible)
  const reached = events.length < visible.length ? (events.at(-1)?.offset ?? after) : last
  return { events, last: reached, more: reached < end || entries.length === maxEntries }
}

/** `last` is the offset of the last event examined; it is missing if all were examined. */
function visibleIn(
  entries: StoredEntry[],
  partner: CachedPartner,
  after: number,
  { limit, ownToo, types, facility }: EventQuery,
): { visible: VisibleEvent[]; last?: number } {
  const visible: VisibleEvent[] = []
  let read = 0
  for (const entry of entries) {
    const isOwn = entry.actor_kind === 'partner' && entry.actor === partner.id
    if ((isOwn && !ownToo) || !concerns(entry, partner)) continue
    if (facility !== undefined && entry.facility !== facility) continue
    for (const [index, event] of eventsIn(entry).entries()) {
      const offset = eventOffset(entry.seq, index)
      if (offset <= after || !canSee(partner, event) || types?.includes(event.type) === false) continue
      if (visible.push({ ...event, offset, isOwn }) === limit) return { visible, last: offset }
    }
    read += entry.detail.length
    if (read > maxPageLength) return { visible, last: lastOffsetOf(entry.seq) }
  }
  return { visible }
}

/** Returns whether the partner can see the entry's facility; without a facility, whether the entry is about it. */
function concerns({ facility, partner: subject }: StoredEntry, partner: CachedPartner): boolean {
  return facility === null ? subject === partner.id : permit(partner, facility, 'none') !== 'hidden'
}

function canSee(partner: CachedPartner, { facility, need }: PartnerEvent): boolean {
  if (facility === null) return true
  return typeof permit(partner, facility, need === null ? 'none' : { read: need }) !== 'string'
}

/** Returns only the first events if the content is too large for one page. */
async function withContent(db: Db, partner: CachedPartner, events: VisibleEvent[]): Promise<FoundEvent[]> {
  if (events.length === 0) return []
  const eventIds = new EventIds(await eventSecret(db), partner.id)
  return db.read(async (tx) => {
    const found: FoundEvent[] = []
    let read = 0
    for (const event of events) {
      const { services, area, offset } = event
      const room = services && area !== null ? await findRoom(tx, area) : undefined
      found.push({ offset, view: viewOf(event, eventIds.id(offset), services && contentOf(event, services, room)) })
      read += room?.subscriptions.reduce((sum, json) => sum + json.length, 0) ?? 0
      if (read > maxPageLength) break
    }
    return found
  })
}

function viewOf({ type, occurredAt, facility, area, isOwn, data }: VisibleEvent, id: string, content = {}): EventView {
  return {
    id,
    type,
    occurred_at: occurredAt,
    ...(facility !== null && { facility }),
    ...(area !== null && { area }),
    origin: isOwn ? 'self' : 'other',
    data: { ...data, ...content },
  }
}

/** Returns the services that the room still has, or null if the event's cycle has ended. */
function contentOf(
  { data }: VisibleEvent,
  { cycle, ids, isList, hashedKeys }: ServicesOfEvent,
  found: RoomWithSubscriptions | undefined,
) {
  const isPresent = found !== undefined && found.room.cycle === cycle
  const present = isPresent ? found.subscriptions.filter((json) => ids.includes(parseSubscription(json).id)) : undefined
  const services = present?.map((json) => parseExactly(json) as { id: string })
  if (isList) return { services: services ?? null }
  const service = services?.[0] ?? null
  return { ...(hashedKeys && { changed: [...(data.changed as string[]), ...namesOf(hashedKeys, service)] }), service }
}

/** Names the changed fields that still exist: the audit log stores only hashes of the names. */
function namesOf(hashedKeys: string[], service: { id: string } | null): string[] {
  if (service === null) return []
  return Object.keys(service).filter((key) => hashedKeys.includes(hashedKey(service.id, key)))
}

export function waitForEvents(db: Db, after: number, signal: AbortSignal): Promise<void> {
  return db.auditFeed.waitForEntriesAfter(entryBefore(after), signal)
}

/** Returns the offset of the last event that was removed from the audit log; undefined if none was. */
export async function oldestOffset(db: Db): Promise<number | undefined> {
  const removed = await db.auditFeed.removedOffset()
  return removed && lastOffsetOf(removed)
}

/** Returns the offset of the newest event, after which a consumer receives only what happens from now on. */
export async function newestOffset(db: Db): Promise<number> {
  return lastOffsetOf(await db.auditFeed.advance())
}
