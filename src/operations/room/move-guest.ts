import type { Access } from '../../domain/access/grant.ts'
import { parseExactly } from '../../domain/exact-json.ts'
import { refusalAt } from '../../domain/refusal.ts'
import { etagOf, type Representation } from '../../domain/representation.ts'
import { roomJson } from '../../domain/room/stored-room.ts'
import { nowIso } from '../../domain/time.ts'
import { lockRooms, type RoomWithSubscriptions, updateRoom } from '../../storage/area.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { endKeys } from '../../storage/idempotency.ts'
import { missingArea, reauthenticate } from '../access/lookup.ts'
import {
  claimKey,
  loadStoredKey,
  movedJson,
  replaceResponses,
  storedResponse,
  storeResponse,
  withKeyClaim,
} from '../idempotency.ts'
import { assertPrecondition, replayedArea, seenBy } from '../room-view.ts'
import { onceOf, permitted, type RoomCaller, type RoomChange } from './change-room.ts'
import { moving } from './cycle.ts'
import { recordRoomAudit } from './outcome.ts'

export const needToMove = { rooms: 'open_close', andRooms: 'services' } as const

export interface MoveRequest {
  /** The full id of the room that the guest moves to. */
  to: string
  bodyHash: string
  /** The JSON pointer to `to` in the request body. Default: `/to`. */
  pointer?: string
}

export interface MovedGuest {
  /** The JSON of the area that the guest left (`to`: moved to), with the fields that the caller may read. */
  from: string
  to: string
  /** The ETag of the area that the guest left, which If-Match is compared with. */
  etag: string
  replayed: boolean
}

/** Moves a guest to another room within a transaction, which may change other rooms too. */
export async function moveGuestIn(
  tx: Tx,
  db: Db,
  caller: RoomCaller,
  { area, precondition, key, facility: expected }: RoomChange,
  { to, bodyHash, pointer = '/to' }: MoveRequest,
): Promise<MovedGuest> {
  const once = onceOf(caller, key, bodyHash)
  const claimed = once && claimKey(tx, once.owner, once)
  const locked = lockRooms(tx, area, to)
  const confirmed = 'partner' in caller ? reauthenticate(tx, db.cache, caller) : undefined
  const known = once && loadStoredKey(tx, once.owner, once)
  const [[source, target], partner, record] = await Promise.all([locked, confirmed, known, claimed])
  const { facility, access } = await permitted(db, partner, needToMove, { areaId: area, found: source, expected })
  if (source === undefined || source.room.facilityId !== facility.id) throw missingArea()
  const earlier = once && storedResponse(record, once)
  if (earlier) return replayedMove(earlier, access)
  assertPrecondition(source, precondition, 'open_close', access)
  if (target === undefined) throw missingTarget(pointer)
  const aheadMs = partner?.aheadMs ?? 0
  const clock = { now: nowIso(aheadMs), aheadMs }
  const moved = moving(source, target, clock)
  const from = writeRoom(tx, source, moved.source, access)
  const taken = writeRoom(tx, target, moved.target, access)
  recordRoomAudit(tx, caller.actor, { facility: facility.idExternal, area }, moved.audit, clock)
  const etag = etagOf(from)
  if (once) {
    replaceResponses(tx, once.owner, once, once.replaces, source.room, from)
    replaceResponses(tx, once.owner, once, once.replacesInTarget, target.room, taken)
    // Stores the response with the room that the guest has now, so that the end of the guest's stay purges it.
    storeResponse(tx, once.owner, once, target.room, { json: movedJson(from, taken), etag })
  }
  return { from, to: taken, etag, replayed: false }
}

export function moveGuest(db: Db, caller: RoomCaller, room: RoomChange, request: MoveRequest): Promise<MovedGuest> {
  const once = onceOf(caller, room.key, request.bodyHash)
  const write = () => db.write((tx) => moveGuestIn(tx, db, caller, room, request))
  return once ? withKeyClaim(db, once.owner, once, write) : write()
}

/** Writes a room and purges the stored responses of its Idempotency-Keys. Returns the JSON for the caller. */
function writeRoom(
  tx: Tx,
  { room: before }: RoomWithSubscriptions,
  after: RoomWithSubscriptions,
  access: Access | undefined,
): string {
  const json = roomJson(after.room, after.subscriptions)
  endKeys(tx, before)
  updateRoom(tx, before, after, json)
  return seenBy(access, json, after.room)
}

function missingTarget(pointer: string) {
  return refusalAt('area_not_found', pointer, 'There is no area with this id in the facility of the room.')
}

/** Returns the response stored under an Idempotency-Key, without fields that the partner may no longer read. */
function replayedMove({ json, etag }: Representation, access: Access | undefined): MovedGuest {
  const { from, to } = parseExactly(json) as Record<'from' | 'to', { data_general?: object[] }>
  return { from: replayedArea(from, access), to: replayedArea(to, access), etag, replayed: true }
}
