import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from '../../domain/refusal.ts'
import type { BulkOperation, BulkOrder, RoomOrder } from '../../domain/room/bulk-body.ts'
import { lockRoom } from '../../storage/area.ts'
import type { CachedFacility } from '../../storage/cached/facility.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import type { Caller } from '../access/authenticate.ts'
import { areaFor, roomIn } from '../access/lookup.ts'
import { chunks } from '../chunks.ts'
import {
  assertSameBody,
  claimKey,
  type EarlierOperation,
  type IdempotentRequest,
  keyEnded,
  storedHash,
  withKeyClaim,
} from '../idempotency.ts'
import type { ChangedRoom } from '../room-view.ts'
import {
  applying,
  assertWellFormed,
  type MoveOperation,
  needFor,
  type OneRoomOperation,
  roomsOf,
} from './bulk-operation.ts'
import { loadRefusals, responseKey, storeRefusals } from './bulk-refusals.ts'
import { assertBulkFits } from './bulk-work.ts'
import { type Change, changeRoom, changeRoomIn, type RoomChange } from './change-room.ts'
import { notAttempted, runInOrder } from './in-order.ts'
import { type MovedGuest, type MoveRequest, moveGuest, moveGuestIn } from './move-guest.ts'
import type { ServiceRules } from './services.ts'

interface BulkCall {
  facility: CachedFacility
  order: BulkOrder
  rules: ServiceRules
  /** The maximum number of bytes of rooms that the operations may work on. */
  maxBytes: number
  /** The Idempotency-Key of the whole call. */
  once: IdempotentRequest | undefined
}

/** The result of one operation. For a move, `area` is the room that the guest has moved to. */
export type BulkResult = Pick<ChangedRoom, 'area' | 'replayed'> | Refusal

interface BulkResults {
  /** One for each operation, in their order. */
  results: BulkResult[]
  /** Whether this call changed nothing, because an earlier one with the same key had these results. */
  replayed: boolean
}

type BulkCaller = Caller & { partner: CachedPartner }

/**
 * Changes each room as a single call would. Stores the result of each operation under a key made of the call's key and
 * the operation's index: a retry changes nothing, and opening or closing a room later purges only the results about it.
 */
export async function changeRooms(db: Db, caller: BulkCaller, call: BulkCall): Promise<BulkResults> {
  const { facility, order, once } = call
  if (once === undefined) return { results: await changeFirst(db, caller, call), replayed: false }
  return withKeyClaim(db, caller.partner, once, async () => {
    const known = await storedHash(db, caller.partner, responseKey(once, 0))
    if (known === null) {
      const results = await changeFirst(db, caller, call)
      await storeRefusals(db, caller.partner, once, { facility, operations: order.operations, results })
      return { results, replayed: false }
    }
    // The hash is empty if all rooms were opened or closed after the first request with this key. Its body can no
    // longer be compared with that of the retry, so an all-or-nothing retry is refused.
    if (known === '' && order.mode === 'all') throw keyEnded()
    if (known !== '') assertSameBody(known, once)
    const refused = await loadRefusals(db, caller.partner, once)
    const results = await changeEach(db, caller, call, refused)
    const fresh = results.filter((result) => 'replayed' in result && !result.replayed)
    return { results, replayed: fresh.length === 0 }
  })
}

async function changeFirst(db: Db, caller: BulkCaller, call: BulkCall): Promise<BulkResult[]> {
  const { facility, order, maxBytes } = call
  await assertBulkFits(db, facility, order.operations, maxBytes)
  return order.mode === 'each' ? changeEach(db, caller, call) : changeAll(db, caller, call)
}

/** How many operations run at once: more than fit in a group commit, as some wait for an earlier one on their room. */
const maxConcurrent = 128

/** `refused` has the refusals of an earlier call with the same key, by the index of the operation. */
async function changeEach(
  db: Db,
  caller: BulkCaller,
  call: BulkCall,
  refused: ReadonlyMap<number, Refusal> = new Map(),
): Promise<BulkResult[]> {
  const results = await runInOrder(call.order.operations, roomsOf, maxConcurrent, async (operation, index) => {
    const known = refused.get(index)
    if (known !== undefined) throw known
    assertWellFormed(operation)
    await assertPermitted(db, caller, call.facility, operation)
    const room = roomChange(call, operation, index)
    if (operation.op === 'move') return resultOf(await moveGuest(db, caller, room, moveBy(call, operation)))
    return changeRoom(db, caller, room, changeBy(call, operation))
  })
  return results.map((result, index) => refused.get(index) ?? result)
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
  const { facility, order } = call
  const { operations } = order
  try {
    await inChunks(operations, maxTogether, async (operation) => {
      assertWellFormed(operation)
      await assertPermitted(db, caller, facility, operation)
    })
    return await db.write(async (tx) => {
      if (call.once) await claimKey(tx, caller.partner, call.once)
      await lockInOrder(tx, facility, operations)
      return inChunks(operations, tx.isExclusive ? 1 : maxTogether, async (operation, index): Promise<BulkResult> => {
        assertWellFormed(operation)
        const room = roomChange(call, operation, index)
        if (operation.op !== 'move') return changeRoomIn(tx, db, caller, room, changeBy(call, operation))
        return resultOf(await moveGuestIn(tx, db, caller, room, moveBy(call, operation)))
      })
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    return operations.map((_, index) => (index === error.index ? error.refusal : notAttempted(error.index)))
  }
}

/** How many operations run at a time within one transaction, to share round trips to a database server. */
const maxTogether = 32
/** How long operations run before other requests get a turn of the event loop. */
const maxSliceMs = 10

/** Throws `Undone` for the first operation that fails. */
async function inChunks<T>(
  operations: BulkOperation[],
  chunkSize: number,
  run: (operation: BulkOperation, index: number) => Promise<T>,
): Promise<T[]> {
  const done: T[] = []
  let sliceMs = performance.now()
  for (const some of chunks(operations, chunkSize)) {
    const from = done.length
    for (const [at, result] of (
      await runInOrder(some, roomsOf, chunkSize, (one, index) => run(one, from + index))
    ).entries()) {
      if (result instanceof Refusal) throw new Undone(from + at, result)
      done.push(result)
    }
    if (performance.now() - sliceMs < maxSliceMs) continue
    await nextTurn()
    sliceMs = performance.now()
  }
  return done
}

/** Locks all rooms of a call in the order of their ids, so that two calls cannot wait for each other's locks. */
async function lockInOrder(tx: Tx, { id }: CachedFacility, operations: BulkOperation[]): Promise<void> {
  const rooms = [...new Set(operations.flatMap(roomsOf))].sort()
  await Promise.all(rooms.map((room) => lockRoom(tx, id, room)))
}

/** Checks that the room of an operation is in the facility of the call, and that the caller has permission. */
async function assertPermitted(
  { cache }: Db,
  { partner }: BulkCaller,
  { idExternal }: CachedFacility,
  { area, op }: RoomOrder,
): Promise<void> {
  const { facility } = await areaFor(cache, partner, 'none', area)
  if (facility.idExternal !== idExternal) {
    throw new Refusal('area_not_found', 'There is no area with this id in this facility.')
  }
  roomIn(facility, partner, needFor[op])
}

function roomChange(
  { facility, once, order: { mode, operations } }: BulkCall,
  operation: RoomOrder,
  index: number,
): RoomChange {
  const { area, cycle } = operation
  const replaced = {
    replaces: earlierOn(operations, index, area),
    replacesInTarget: operation.op === 'move' ? earlierOn(operations, index, operation.to) : [],
  }
  return {
    area,
    facility,
    precondition: cycle === undefined ? {} : { cycle },
    ...(once && { key: { ...responseKey(once, index), isLocked: mode === 'all', ...replaced } }),
  }
}

const resets = ['open', 'close', 'move']

/**
 * If this operation is the last of the call that resets the room (opens, closes or moves), returns the earlier ones
 * with a result about the room. The reset purges their stored responses, and the room as it is then replaces them.
 */
function earlierOn(operations: BulkOperation[], index: number, area: string): EarlierOperation[] {
  const isReset = (one: BulkOperation) => resets.includes(one.op) && roomsOf(one).includes(area)
  if (operations.findLastIndex(isReset) !== index) return []
  return operations.slice(0, index).flatMap((one, at) => {
    const isMove = one.op === 'move'
    return (isMove ? one.to : one.area) === area ? [{ key: String(at), isMove }] : []
  })
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
