import type { RoomOperation } from '../domain/access/grant.ts'
import type { Actor } from '../domain/audit/audit.ts'
import { assertCycleFormat, type Precondition } from '../domain/precondition.ts'
import { representJson } from '../domain/representation.ts'
import type { Contract } from '../domain/room/contract.ts'
import { roomJson } from '../domain/room/stored-room.ts'
import type { SubscriptionDraft } from '../domain/room/subscription.ts'
import { nowIso } from '../domain/time.ts'
import { findRoom, updateRoom } from '../storage/area.ts'
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
import { type CheckContract, underContract } from './room/contract-check.ts'
import { closing, opening } from './room/cycle.ts'
import { type Apply, recordRoomAudit } from './room/outcome.ts'
import { adding, patching, removing, type ServicePatch, type ServiceRules } from './room/services.ts'
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

/** The caller of a change: a partner, whose grants are checked, or an operator, who needs none. */
export type RoomCaller = Caller | { actor: Actor }

/** Starts a new cycle: purges the subscriptions of the last guest and the stored responses of Idempotency-Keys. */
export function openRoom(db: Db, caller: RoomCaller, change: RoomChange): Promise<ChangedRoom> {
  return changeRoom(db, caller, 'open_close', change, '', opening)
}

export function closeRoom(db: Db, caller: RoomCaller, change: RoomChange): Promise<ChangedRoom> {
  return changeRoom(db, caller, 'open_close', change, '', closing)
}

export interface Addition extends ServiceRules {
  drafts: SubscriptionDraft[]
  bodyHash: string
}

export function addSubscriptions(
  db: Db,
  caller: RoomCaller,
  change: RoomChange,
  { drafts, bodyHash, ...rules }: Addition,
): Promise<ChangedRoom> {
  return changeRoom(db, caller, 'services', change, bodyHash, adding(drafts, rules))
}

export function removeSubscription(db: Db, caller: RoomCaller, change: RoomChange, id: string): Promise<ChangedRoom> {
  return changeRoom(db, caller, 'services', change, '', removing(id))
}

/** The contract that a change of subscriptions must match, and what checks it outside of the transaction. */
export interface ContractRules extends ServiceRules {
  contract: Contract | null
  check: CheckContract
}

export function changeSubscription(
  db: Db,
  caller: RoomCaller,
  change: RoomChange,
  patch: ServicePatch,
  { contract, check, ...rules }: ContractRules,
): Promise<ChangedRoom> {
  return underContract(contract, check, (assertContract) =>
    changeRoom(db, caller, 'services', change, '', patching(patch, rules, assertContract)),
  )
}

function changeRoom(
  db: Db,
  caller: RoomCaller,
  operation: RoomOperation,
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
    const clock = { now: nowIso(aheadMs), aheadMs }
    const after = apply(found.room, found.subscriptions, clock)
    const json = roomJson(after.room, after.subscriptions)
    if (after.isReset) endKeys(tx, found.room)
    if (after.audit.length > 0) updateRoom(tx, found.room, after, json)
    recordRoomAudit(tx, caller.actor, { facility: facility.idExternal, area: areaId }, after.audit, clock)
    const seen = representJson(seenBy(access, json, after.room))
    if (once) storeResponse(tx, once.owner, once, found.room, seen)
    const isChanged = after.audit.length > 0
    return { area: seen.json, services: `[${after.subscriptions}]`, etag: seen.etag, replayed: false, isChanged }
  }
  const write = () => db.write(work, { batch: true })
  return once ? withKeyClaim(db, once.owner, once, write) : write()
}
