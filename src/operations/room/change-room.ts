import type { Access, Need, RoomOperation } from '../../domain/access/grant.ts'
import type { Actor } from '../../domain/audit/audit.ts'
import type { Precondition } from '../../domain/precondition.ts'
import { representJson } from '../../domain/representation.ts'
import { roomJson } from '../../domain/room/stored-room.ts'
import { nowIso } from '../../domain/time.ts'
import { findRoom, type RoomWithSubscriptions, updateRoom } from '../../storage/area.ts'
import type { CachedFacility } from '../../storage/cached/facility.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { Db } from '../../storage/database.ts'
import type { BatchTx } from '../../storage/engine.ts'
import { endKeys } from '../../storage/idempotency.ts'
import type { Caller } from '../access/authenticate.ts'
import { areaFor, facilityOfRoom, missingArea, reauthenticate, roomIn } from '../access/lookup.ts'
import {
  claimKey,
  type IdempotentRequest,
  loadStoredKey,
  replaceResponses,
  storedResponse,
  storeResponse,
  withKeyClaim,
} from '../idempotency.ts'
import { assertPrecondition, type ChangedRoom, replay, seenBy } from '../room-view.ts'
import { type Apply, recordRoomAudit } from './outcome.ts'

export interface RoomChange {
  /** The full id of the room. */
  area: string
  precondition: Precondition
  key?: Key | undefined
  /** The facility that `assertCanChangeRoom` returned. Saves another lookup, unless the facility has changed since. */
  facility?: CachedFacility
}

/** The Idempotency-Key of a request whose body is not yet read. */
export type Key = Omit<IdempotentRequest, 'bodyHash'>

/** The caller of a change: a partner, whose grants are checked, or an operator, who needs none. */
export type RoomCaller = Caller | { actor: Actor }

/** `operation` is what the partner's grants must allow. */
export interface Change {
  operation: RoomOperation
  apply: Apply
  /** A retry with the same Idempotency-Key must have the same hash. Empty for a request without a body. */
  bodyHash: string
}

/** Changes a room within a transaction, which may change other rooms too. */
export async function changeRoomIn(
  tx: BatchTx,
  db: Db,
  caller: RoomCaller,
  { area: areaId, precondition, key, facility: expected }: RoomChange,
  { operation, apply, bodyHash }: Change,
): Promise<ChangedRoom> {
  const once = onceOf(caller, key, bodyHash)
  // The database runs the queries in this order. Rows read after the locks cannot change before the commit.
  const claimed = once && claimKey(tx, once.owner, once)
  const locked = findRoom(tx, areaId, { lock: true })
  const confirmed = 'partner' in caller ? reauthenticate(tx, db.cache, caller) : undefined
  const known = once && loadStoredKey(tx, once.owner, once)
  const [found, partner, record] = await Promise.all([locked, confirmed, known, claimed])
  const { facility, access } = await permitted(db, partner, { rooms: operation }, { areaId, found, expected })
  if (found === undefined || found.room.facilityId !== facility.id) throw missingArea()
  const earlier = once && storedResponse(record, once)
  if (earlier) return replay(earlier, access)
  assertPrecondition(found, precondition, operation, access)
  const aheadMs = partner?.aheadMs ?? 0
  const clock = { now: nowIso(aheadMs), aheadMs }
  const after = apply(found.room, found.subscriptions, clock)
  const json = roomJson(after.room, after.subscriptions)
  if (after.isReset) endKeys(tx, found.room)
  if (after.audit.length > 0) updateRoom(tx, found.room, after, json)
  recordRoomAudit(tx, caller.actor, { facility: facility.idExternal, area: areaId }, after.audit, clock)
  const seen = representJson(seenBy(access, json, after.room))
  if (once) {
    replaceResponses(tx, once.owner, once, once.replaces, found.room, seen.json)
    storeResponse(tx, once.owner, once, found.room, seen)
  }
  const isChanged = after.audit.length > 0
  return { area: seen.json, services: `[${after.subscriptions}]`, etag: seen.etag, replayed: false, isChanged }
}

interface FoundRoom {
  areaId: string
  found: RoomWithSubscriptions | undefined
  /** The facility that was found before the transaction; see `RoomChange.facility`. */
  expected: CachedFacility | undefined
}

/** Checks permission. The returned `access` is undefined for operators, who need no grant. */
export async function permitted(
  { cache }: Db,
  partner: CachedPartner | undefined,
  need: Need,
  { areaId, found, expected }: FoundRoom,
): Promise<{ facility: CachedFacility; access?: Access }> {
  if (partner === undefined) return { facility: await facilityOfRoom(cache, need, areaId) }
  const isCurrent = expected !== undefined && cache.facilities.has(expected.idExternal, expected)
  const near = isCurrent && expected.id === found?.room.facilityId ? expected : undefined
  return near ? roomIn(near, partner, need) : areaFor(cache, partner, need, areaId)
}

/** Changes the room in a transaction that may be shared with changes of other rooms, to save commits. */
export function changeRoom(db: Db, caller: RoomCaller, room: RoomChange, change: Change): Promise<ChangedRoom> {
  const once = onceOf(caller, room.key, change.bodyHash)
  const write = () => db.write((tx) => changeRoomIn(tx, db, caller, room, change), { batch: true })
  return once ? withKeyClaim(db, once.owner, once, write) : write()
}

/** Returns the Idempotency-Key with the partner that owns it. Returns undefined without a key, and for operators. */
export function onceOf(caller: RoomCaller, key: Key | undefined, bodyHash: string) {
  return key && 'partner' in caller ? { ...key, bodyHash, owner: caller.partner } : undefined
}
