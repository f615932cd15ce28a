import type { RoomOperation } from '../domain/access/grant.ts'
import { type Actor, type AuditAction, auditTimestamp } from '../domain/audit/audit.ts'
import { newId } from '../domain/identifier.ts'
import { assertCycleFormat, type Precondition } from '../domain/precondition.ts'
import { Refusal, refusalAt } from '../domain/refusal.ts'
import { representJson } from '../domain/representation.ts'
import {
  parseSubscription,
  type Room,
  roomJson,
  type Subscription,
  subscriptionJson,
} from '../domain/room/stored-room.ts'
import type { RoomLimits, SubscriptionDraft } from '../domain/room/subscription.ts'
import { firstOf, momentsOf } from '../domain/room/subscription-moment.ts'
import { addMs, nowIso } from '../domain/time.ts'
import { findRoom, type RoomWithSubscriptions, updateRoom } from '../storage/area.ts'
import { recordAudit } from '../storage/audit/audit.ts'
import type { CachedFacility } from '../storage/cached/facility.ts'
import type { CachedPartner } from '../storage/cached/partner.ts'
import type { Db } from '../storage/database.ts'
import type { BatchTx } from '../storage/engine.ts'
import { endKeys } from '../storage/idempotency.ts'
import type { Caller } from './access/authenticate.ts'
import { areaFor, facilityOfRoom, missingArea, reauthenticate, roomIn, type VisibleFacility } from './access/lookup.ts'
import {
  claimKey,
  type IdempotentRequest,
  isKeyKnown,
  loadStoredKey,
  storedResponse,
  storeResponse,
  withKeyClaim,
} from './idempotency.ts'
import type { ParseQuery } from './page.ts'
import { assertPrecondition, type ChangedRoom, replay, seenBy } from './room-view.ts'

export interface RoomChange {
  /** The full id of the room. */
  area: string
  precondition: Precondition
  key?: Key | undefined
  /** The facility that `assertCanChangeRoom` returned. It saves a lookup while it is current. */
  facility?: CachedFacility
}

/** The Idempotency-Key of a request whose body is not yet read. */
type Key = Omit<IdempotentRequest, 'bodyHash'>

/**
 * Checks permission and preconditions before the body is read. The transaction of the change repeats these checks. With
 * a known Idempotency-Key, preconditions are skipped: the stored response is returned, whose change has made them fail.
 */
export async function assertCanChangeRoom(
  db: Db,
  partner: CachedPartner,
  operation: RoomOperation,
  { area, precondition }: RoomChange,
  readKey: ParseQuery<Key | undefined>,
): Promise<VisibleFacility> {
  const visible = await areaFor(db.cache, partner, { rooms: operation }, area)
  const key = readKey()
  assertCycleFormat(precondition)
  const { etags, cycle } = precondition
  if (etags !== undefined || cycle !== undefined) {
    await db.read(async (tx) => {
      if (key !== undefined && (await isKeyKnown(tx, partner, key))) return
      const found = await findRoom(tx, area)
      if (found === undefined) throw missingArea()
      assertPrecondition(found, precondition, operation, visible.access)
    })
  }
  return visible
}

/** The room after a change, with the detail of its audit entry; no detail if nothing changed. */
interface Outcome extends RoomWithSubscriptions {
  detail?: object
}

/** Computes the change. `now` is the caller's clock, which in a sandbox can be ahead of real time by `aheadMs`. */
type Apply = (tx: BatchTx, room: Room, subscriptions: string[], now: string, aheadMs: number) => Outcome

/** The caller of a change: a partner, whose grants are checked, or an operator, who needs none. */
export type RoomCaller = Caller | { actor: Actor }

/** Starts a new cycle: purges the subscriptions of the last guest and the stored responses of Idempotency-Keys. */
export function openRoom(db: Db, caller: RoomCaller, change: RoomChange): Promise<ChangedRoom> {
  return changeRoom(db, caller, 'open_close', 'room.open', change, '', (tx, room, present, now) => {
    endKeys(tx, room)
    const cycle = newId()
    const changes = [{ key: 'cycle', before: room.cycle, after: cycle }]
    const detail = { cycle, forgotten: present.length, changes }
    return { room: { ...room, cycle, openedAt: now, dateUpdated: now, nextDueAt: null }, subscriptions: [], detail }
  })
}

export function closeRoom(db: Db, caller: RoomCaller, change: RoomChange): Promise<ChangedRoom> {
  return changeRoom(db, caller, 'open_close', 'room.close', change, '', (tx, room, present, now) => {
    endKeys(tx, room)
    const subscriptions: string[] = []
    const changes = [{ key: 'cycle', before: room.cycle, after: null }]
    const detail = { cycle: room.cycle, forgotten: present.length, changes }
    if (room.cycle === null && present.length === 0) return { room, subscriptions }
    return { room: { ...room, cycle: null, openedAt: null, dateUpdated: now, nextDueAt: null }, subscriptions, detail }
  })
}

export interface Addition {
  drafts: SubscriptionDraft[]
  bodyHash: string
  limits: RoomLimits
  /** How long before its end a service gets its `service.ending` event. */
  endingSeconds: number
}

export function addSubscriptions(
  db: Db,
  caller: RoomCaller,
  change: RoomChange,
  { drafts, bodyHash, limits, endingSeconds }: Addition,
): Promise<ChangedRoom> {
  return changeRoom(db, caller, 'services', 'services.add', change, bodyHash, (_tx, room, present, now, aheadMs) => {
    if (drafts.length === 0) return { room, subscriptions: present }
    const madeMs = Date.parse(now)
    const added = drafts.map((draft): Subscription => ({ ...draft, id: newId(madeMs) }))
    const subscriptions = [...present, ...added.map(subscriptionJson)]
    assertFits(subscriptions, present.length, limits)
    const detail = { cycle: room.cycle, added: added.map(({ id, code }) => ({ id, code })) }
    const moments = added.flatMap((one) => momentsOf(one, endingSeconds))
    const nextDueAt = firstOf([room.nextDueAt, ...moments.map(({ at }) => addMs(at, -aheadMs))])
    return { room: { ...room, dateUpdated: now, nextDueAt }, subscriptions, detail }
  })
}

function assertFits(all: string[], already: number, { roomSubscriptions, roomBytes }: RoomLimits): void {
  if (all.length > roomSubscriptions) {
    throw tooMuch(`A room can hold ${roomSubscriptions} subscriptions; this one has ${already} already.`)
  }
  const bytes = all.reduce((sum, json) => sum + Buffer.byteLength(json), 0)
  if (bytes > roomBytes) {
    throw tooMuch(`A room can hold ${roomBytes} bytes of subscriptions; with these it would be ${bytes}.`)
  }
}

function tooMuch(detail: string): Refusal {
  return refusalAt('limit_exceeded', '/value', detail)
}

export function removeSubscription(db: Db, caller: RoomCaller, change: RoomChange, id: string): Promise<ChangedRoom> {
  return changeRoom(db, caller, 'services', 'services.delete', change, '', (_tx, room, present, now) => {
    const index = present.findIndex((subscription) => parseSubscription(subscription).id === id)
    const found = present[index]
    if (found === undefined) {
      throw new Refusal('service_not_found', "This subscription is not in the room's current cycle.")
    }
    const detail = { cycle: room.cycle, deleted: { id, code: parseSubscription(found).code } }
    const subscriptions = present.toSpliced(index, 1)
    return { room: { ...room, dateUpdated: now }, subscriptions, detail }
  })
}

function changeRoom(
  db: Db,
  caller: RoomCaller,
  operation: RoomOperation,
  action: AuditAction,
  { area: areaId, precondition, key, facility: expected }: RoomChange,
  bodyHash: string,
  apply: Apply,
): Promise<ChangedRoom> {
  const owner = 'partner' in caller ? caller.partner : undefined
  const once = key && owner && { ...key, bodyHash, owner }
  const work = async (tx: BatchTx): Promise<ChangedRoom> => {
    // The queries are sent together and run in this order: what is read after the locks cannot change before the commit.
    const claimed = once && claimKey(tx, once.owner, once)
    const locked = findRoom(tx, areaId, { lock: true })
    const confirmed = 'partner' in caller ? reauthenticate(tx, db.cache, caller) : undefined
    const known = once && loadStoredKey(tx, once.owner, once)
    const [found, partner, record] = await Promise.all([locked, confirmed, known, claimed])
    const need = { rooms: operation }
    const isCurrent = expected !== undefined && db.cache.facilities.has(expected.idExternal, expected)
    const near = isCurrent && expected.id === found?.room.facilityId ? expected : undefined
    const visible = partner && (near ? roomIn(near, partner, need) : await areaFor(db.cache, partner, need, areaId))
    const facility = visible?.facility ?? (await facilityOfRoom(db.cache, need, areaId))
    const access = visible?.access
    if (found === undefined || found.room.facilityId !== facility.id) throw missingArea()
    const earlier = once && storedResponse(record, once)
    if (earlier) return replay(earlier, access)
    assertPrecondition(found, precondition, operation, access)
    const aheadMs = partner?.aheadMs ?? 0
    const now = nowIso(aheadMs)
    const after = apply(tx, found.room, found.subscriptions, now, aheadMs)
    const json = roomJson(after.room, after.subscriptions)
    if (after.detail !== undefined) {
      updateRoom(tx, found.room, after, json)
      const about = { facility: facility.idExternal, partner: null, subject: areaId }
      recordAudit(tx, { actor: caller.actor, action, ...about, ...auditTimestamp(now, aheadMs, after.detail) })
    }
    const seen = representJson(seenBy(access, json, after.room))
    if (once) storeResponse(tx, once.owner, once, found.room, seen)
    return { area: seen.json, services: `[${after.subscriptions}]`, etag: seen.etag, replayed: false }
  }
  const write = () => db.write(work, { batch: true })
  return once ? withKeyClaim(db, once.owner, once, write) : write()
}
