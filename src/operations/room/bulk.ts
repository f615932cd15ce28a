import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from '../../domain/refusal.ts'
import type { BulkOperation, BulkOrder } from '../../domain/room/bulk-body.ts'
import { lockRoom } from '../../storage/area.ts'
import type { CachedFacility } from '../../storage/cached/facility.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import type { Caller } from '../access/authenticate.ts'
import { areaFor, roomIn } from '../access/lookup.ts'
import { chunks } from '../chunks.ts'
import { assertSameBody, claimKey, type IdempotentRequest, keyEnded, storedHash, withKeyClaim } from '../idempotency.ts'
import type { ChangedRoom } from '../room-view.ts'
import { applying, type MoveOperation, needFor, type OneRoomOperation, roomsOf } from './bulk-operation.ts'
import { type Change, changeRoom, changeRoomIn, type RoomChange } from './change-room.ts'
import { notAttempted, runInOrder } from './in-order.ts'
import { type MovedGuest, type MoveRequest, moveGuest, moveGuestIn } from './move-guest.ts'
import type { ServiceRules } from './services.ts'

export interface BulkCall {
  /** The external id of the facility that all rooms are in. */
  facility: string
  order: BulkOrder
  rules: ServiceRules
  /** The Idempotency-Key of the whole call. */
  once: IdempotentRequest | undefined
}

/** The result of one operation. For a move, `area` is the room that the guest has moved to. */
export type BulkResult = Pick<ChangedRoom, 'area' | 'replayed'> | Refusal

type BulkCaller = Caller & { partner: CachedPartner }

/**
 * Changes many rooms of a facility, each as a single call would. Returns a result per operation, in their order.
 *
 * Stores the response of each operation under a key made of the call's Idempotency-Key and the operation's index. So a
 * retry does only what is missing, and opening or closing a room later purges only the responses about that room.
 */
export async function changeRooms(db: Db, caller: BulkCaller, call: BulkCall): Promise<BulkResult[]> {
  const { order, once } = call
  if (once === undefined) return order.mode === 'each' ? changeEach(db, caller, call) : changeAll(db, caller, call)
  return withKeyClaim(db, caller.partner, once, async () => {
    const known = await storedHash(db, caller.partner, responseKey(once, 0))
    if (known) assertSameBody(known, once)
    if (order.mode === 'each' || known) return changeEach(db, caller, call)
    // An empty hash means that all rooms were opened or closed after the first request with this Idempotency-Key, which
    // deleted the hash of its body. Refuses the retry, because its body might differ.
    if (known === '') throw keyEnded()
    return changeAll(db, caller, call)
  })
}

/**
 * How many operations run at a time. They can be more than fit in one group commit (shared transaction), because some
 * only wait for an earlier operation on the same room.
 */
const maxConcurrent = 128

function changeEach(db: Db, caller: BulkCaller, call: BulkCall): Promise<BulkResult[]> {
  return runInOrder(call.order.operations, roomsOf, maxConcurrent, async (operation, index) => {
    const facility = await facilityOf(db, caller, call.facility, operation)
    const room = roomChange(call, operation, index, facility)
    if (operation.op === 'move') return resultOf(await moveGuest(db, caller, room, moveBy(call, operation)))
    return changeRoom(db, caller, room, changeBy(call, operation))
  })
}

/** Thrown when one operation of an all-or-nothing call fails, so that the transaction rolls back all others. */
class Undone extends Error {
  readonly index: number
  readonly refusal: Refusal

  constructor(index: number, refusal: Refusal) {
    super('one of many operations has failed')
    this.index = index
    this.refusal = refusal
  }
}

async function changeAll(db: Db, caller: BulkCaller, call: BulkCall): Promise<BulkResult[]> {
  const { operations } = call.order
  try {
    const facilities = await inChunks(operations, (operation) => facilityOf(db, caller, call.facility, operation))
    return await db.write(async (tx) => {
      if (call.once) await claimKey(tx, caller.partner, call.once)
      await lockInOrder(tx, facilities[0] as CachedFacility, operations)
      return inChunks(operations, async (operation, index): Promise<BulkResult> => {
        const room = roomChange(call, operation, index, facilities[index])
        if (operation.op !== 'move') return changeRoomIn(tx, db, caller, room, changeBy(call, operation))
        return resultOf(await moveGuestIn(tx, db, caller, room, moveBy(call, operation)))
      })
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    return operations.map((_, index) => (index === error.index ? error.refusal : notAttempted(error.index)))
  }
}

/** How many operations run before other requests get a turn of the event loop. */
const chunkSize = 32

/** Runs the operations in chunks. Throws `Undone` for the first that fails. */
async function inChunks<T>(
  operations: BulkOperation[],
  run: (operation: BulkOperation, index: number) => Promise<T>,
): Promise<T[]> {
  const done: T[] = []
  for (const some of chunks(operations, chunkSize)) {
    const from = done.length
    for (const [at, result] of (
      await runInOrder(some, roomsOf, chunkSize, (one, index) => run(one, from + index))
    ).entries()) {
      if (result instanceof Refusal) throw new Undone(from + at, result)
      done.push(result)
    }
    await nextTurn()
  }
  return done
}

/** Locks all rooms of a call in the order of their ids, so that two calls cannot wait for each other's locks. */
async function lockInOrder(tx: Tx, { id }: CachedFacility, operations: BulkOperation[]): Promise<void> {
  const rooms = [...new Set(operations.flatMap(roomsOf))].sort()
  await Promise.all(rooms.map((room) => lockRoom(tx, id, room)))
}

/** Checks that a room is in the facility of the call, and that the caller has permission. Returns the facility. */
async function facilityOf(
  { cache }: Db,
  { partner }: BulkCaller,
  expected: string,
  { area, op }: BulkOperation,
): Promise<CachedFacility> {
  const { facility } = await areaFor(cache, partner, 'none', area)
  if (facility.idExternal !== expected) {
    throw new Refusal('area_not_found', 'There is no area with this id in this facility.')
  }
  return roomIn(facility, partner, needFor[op]).facility
}

function roomChange(
  { once, order: { mode, operations } }: BulkCall,
  { area, cycle }: BulkOperation,
  index: number,
  facility: CachedFacility | undefined,
): RoomChange {
  return {
    area,
    precondition: cycle === undefined ? {} : { cycle },
    ...(once && {
      key: { ...responseKey(once, index), isLocked: mode === 'all', replaces: earlierKeys(operations, index) },
    }),
    ...(facility && { facility }),
  }
}

/**
 * Returns the keys of earlier operations on the same room if this operation is the last one to open or close the room,
 * otherwise none. Opening or closing purges the responses stored under these keys; the response of this operation is
 * stored under them instead.
 */
function earlierKeys(operations: BulkOperation[], index: number): string[] {
  const { area } = operations[index] as BulkOperation
  const isReset = (one: BulkOperation) => one.area === area && (one.op === 'open' || one.op === 'close')
  if (operations.findLastIndex(isReset) !== index) return []
  const isEarlier = (one: BulkOperation) => one.area === area && one.op !== 'move'
  return operations.slice(0, index).flatMap((one, at) => (isEarlier(one) ? [String(at)] : []))
}

/** Returns the key under which the response of one operation is stored. */
function responseKey({ path, key, bodyHash }: IdempotentRequest, index: number): IdempotentRequest {
  return { path: `${path} ${key}`, key: String(index), bodyHash }
}

function changeBy({ once, rules }: BulkCall, operation: OneRoomOperation): Change {
  return { operation: needFor[operation.op].rooms, bodyHash: once?.bodyHash ?? '', apply: applying(operation, rules) }
}

function moveBy({ once }: BulkCall, { to, pointer }: MoveOperation): MoveRequest {
  return { to, pointer, bodyHash: once?.bodyHash ?? '' }
}

function resultOf({ to, replayed }: MovedGuest): BulkResult {
  return { area: to, replayed }
}
