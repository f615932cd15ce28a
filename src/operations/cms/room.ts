import type { Actor } from '../../domain/audit/audit.ts'
import { fullId, isSandboxId } from '../../domain/identifier.ts'
import type { Precondition } from '../../domain/precondition.ts'
import { Refusal } from '../../domain/refusal.ts'
import { parseSubscriptions, type SubscriptionLimits } from '../../domain/room/subscription.ts'
import { findStoredArea, type StoredArea } from '../../storage/cms/area.ts'
import type { Db } from '../../storage/database.ts'
import { facilityOfRoom } from '../access/lookup.ts'
import { moveGuest } from '../room/move-guest.ts'
import type { ServicePatch } from '../room/services.ts'
import { addSubscriptions, changeSubscription, closeRoom, openRoom, removeSubscription } from '../room.ts'
import { requireFacility } from './facility.ts'

// Changes rooms for operators, as the partner API does for partners, but without checking grants or contracts.

export async function readArea(db: Db, fullId: string): Promise<StoredArea & { facility: string }> {
  const area = await db.read((tx) => findStoredArea(tx, fullId))
  if (area === undefined || isSandboxId(area.facility)) {
    throw new Refusal('area_not_found', 'There is no area with this id.')
  }
  return area
}

/**
 * A room as the operator has seen it. `area` is its full id. `cycle` is the id of the guest's stay that the operator
 * has seen, so that a later guest is not affected; null if the room was closed, undefined if its state does not matter.
 */
interface SeenRoom {
  area: string
  cycle: string | null | undefined
}

export async function openArea(db: Db, actor: Actor, room: SeenRoom): Promise<void> {
  await openRoom(db, { actor }, changeOf(room))
}

export async function closeArea(db: Db, actor: Actor, room: SeenRoom): Promise<void> {
  await closeRoom(db, { actor }, changeOf(room))
}

/** Moves the guest of a room to a closed room of the same facility. */
export async function moveStay(db: Db, actor: Actor, room: SeenRoom, to: string): Promise<void> {
  await moveGuest(db, { actor }, changeOf(room), { to, bodyHash: '' })
}

function changeOf({ area, cycle }: SeenRoom): { area: string; precondition: Precondition } {
  return { area, precondition: cycle === undefined ? {} : { cycle } }
}

const anyState = (area: string) => changeOf({ area, cycle: undefined })

/** `id` is the short id of the room. `cycle` identifies the stay, so that a later guest is not affected. */
interface Stay {
  id: string
  cycle?: string | undefined
}

/** Closes rooms independently of each other. Returns per room, in the given order, the refusal or undefined. */
export async function closeAreas(
  db: Db,
  actor: Actor,
  facilityId: string,
  stays: Stay[],
): Promise<(Refusal | undefined)[]> {
  await db.read((tx) => requireFacility(tx, facilityId))
  return Promise.all(
    stays.map(async ({ id, cycle }) => {
      const room = changeOf({ area: fullId(facilityId, id), cycle })
      return closeRoom(db, { actor }, room).then(() => undefined, refusalOrThrow)
    }),
  )
}

function refusalOrThrow(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** Adds services. Times without a UTC offset are in the time zone of the facility, as they are for partners. */
export async function addServices(
  db: Db,
  actor: Actor,
  room: SeenRoom,
  items: Record<string, unknown>[],
  limits: SubscriptionLimits,
  endingSeconds: number,
): Promise<void> {
  const { timezone } = await facilityOfRoom(db.cache, { rooms: 'services' }, room.area)
  const drafts = parseSubscriptions(items, { timezone, limits })
  await addSubscriptions(db, { actor }, changeOf(room), { drafts, bodyHash: '', limits, endingSeconds })
}

/** Changes one service of a room by a JSON merge patch (RFC 7396). */
export async function changeService(
  db: Db,
  actor: Actor,
  area: string,
  { id, patch }: Omit<ServicePatch, 'rules'>,
  limits: SubscriptionLimits,
  endingSeconds: number,
): Promise<void> {
  const { timezone } = await facilityOfRoom(db.cache, { rooms: 'services' }, area)
  const order = { id, patch, rules: { timezone, limits } }
  const rules = { contract: null, check: async () => [], limits, endingSeconds }
  await changeSubscription(db, { actor }, anyState(area), order, rules)
}

export async function removeService(db: Db, actor: Actor, area: string, id: string): Promise<void> {
  await removeSubscription(db, { actor }, anyState(area), id)
}
