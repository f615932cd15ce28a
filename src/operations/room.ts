import type { RoomNeed } from '../domain/access/grant.ts'
import { assertCycleFormat } from '../domain/precondition.ts'
import type { Contract } from '../domain/room/contract.ts'
import type { SubscriptionDraft } from '../domain/room/subscription.ts'
import type { WantedSubscription } from '../domain/room/subscription-change.ts'
import { findRoom } from '../storage/area.ts'
import type { CachedPartner } from '../storage/cached/partner.ts'
import type { Db } from '../storage/database.ts'
import { areaFor, missingArea, type VisibleFacility } from './access/lookup.ts'
import { isKeyKnown } from './idempotency.ts'
import type { ParseQuery } from './page.ts'
import { changeRoom, type Key, type RoomCaller, type RoomChange } from './room/change-room.ts'
import { type CheckContract, underContract } from './room/contract-check.ts'
import { closing, opening } from './room/cycle.ts'
import { adding, patching, removing, replacing, type ServicePatch, type ServiceRules } from './room/services.ts'
import { assertPrecondition, type ChangedRoom } from './room-view.ts'

/**
 * Checks permission and preconditions before the request body is read; the transaction that changes the room repeats
 * this. Skips the preconditions for a retry, whose key is known: the first request may have changed the ETag that they
 * require, and the retry gets the stored response anyway.
 */
export async function assertCanChangeRoom(
  db: Db,
  partner: CachedPartner,
  need: RoomNeed,
  { area, precondition }: RoomChange,
  readKey: ParseQuery<Key | undefined>,
): Promise<VisibleFacility> {
  const visible = await areaFor(db.cache, partner, need, area)
  const key = readKey()
  assertCycleFormat(precondition)
  const { etags, cycle } = precondition
  if (etags !== undefined || cycle !== undefined) {
    await db.read(async (tx) => {
      if (key !== undefined && (await isKeyKnown(tx, partner, key))) return
      const found = await findRoom(tx, area)
      if (found === undefined) throw missingArea()
      assertPrecondition(found, precondition, need.rooms, visible.access)
    })
  }
  return visible
}

/** Opens a room. Purges the previous guest's subscriptions and the stored responses of the room's Idempotency-Keys. */
export function openRoom(db: Db, caller: RoomCaller, change: RoomChange): Promise<ChangedRoom> {
  return changeRoom(db, caller, change, { operation: 'open_close', bodyHash: '', apply: opening })
}

export function closeRoom(db: Db, caller: RoomCaller, change: RoomChange): Promise<ChangedRoom> {
  return changeRoom(db, caller, change, { operation: 'open_close', bodyHash: '', apply: closing })
}

interface Addition extends ServiceRules {
  drafts: SubscriptionDraft[]
  bodyHash: string
}

export function addSubscriptions(
  db: Db,
  caller: RoomCaller,
  change: RoomChange,
  { drafts, bodyHash, ...rules }: Addition,
): Promise<ChangedRoom> {
  return changeRoom(db, caller, change, { operation: 'services', bodyHash, apply: adding(drafts, rules) })
}

export function removeSubscription(db: Db, caller: RoomCaller, change: RoomChange, id: string): Promise<ChangedRoom> {
  return changeRoom(db, caller, change, { operation: 'services', bodyHash: '', apply: removing(id) })
}

/** `check` checks changed subscriptions against the partner's contract (a JSON Schema), outside of the transaction. */
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
  return underContract(contract, check, (assertContract) => {
    const apply = patching(patch, rules, assertContract)
    return changeRoom(db, caller, change, { operation: 'services', bodyHash: '', apply })
  })
}

interface Replacement {
  wanted: WantedSubscription[]
  /** The JSON pointer to the subscriptions in the request body. */
  pointer: string
  bodyHash: string
}

/** Makes the room have exactly the subscriptions of the request. */
export function replaceSubscriptions(
  db: Db,
  caller: RoomCaller,
  change: RoomChange,
  { wanted, pointer, bodyHash }: Replacement,
  { contract, check, ...rules }: ContractRules,
): Promise<ChangedRoom> {
  return underContract(contract, check, (assertContract) => {
    const apply = replacing(wanted, pointer, rules, assertContract)
    return changeRoom(db, caller, change, { operation: 'services', bodyHash, apply })
  })
}
