import type { Area } from '../domain/area.ts'
import type { RoomOperation } from '../domain/grant.ts'
import { newId } from '../domain/identifier.ts'
import type { Partner } from '../domain/partner.ts'
import { demandCurrent, demandCycle, type Precondition } from '../domain/precondition.ts'
import { Refusal, refusalAt } from '../domain/refusal.ts'
import { represent } from '../domain/representation.ts'
import type { SubscriptionDraft } from '../domain/subscription.ts'
import { hasControlCharacter } from '../domain/text.ts'
import { nowIso } from '../domain/time.ts'
import { setCycle, touchArea } from '../storage/area.ts'
import type { Db } from '../storage/database.ts'
import type { Tx } from '../storage/engine.ts'
import { endKeysOf } from '../storage/idempotency.ts'
import {
  appendSubscriptions,
  countSubscriptionsOf,
  deleteSubscription,
  deleteSubscriptionsOf,
} from '../storage/subscription.ts'
import { type AreaView, viewOf } from './area.ts'
import { areaFor, type VisibleArea } from './lookup.ts'
import { earlierAnswer, isKeyKnown, keepAnswer, lockKey, type Once, oneAtATime } from './once.ts'
import type { Ask } from './page.ts'

export interface RoomChange {
  /** The full id. */
  area: string
  precondition: Precondition
  key?: Key | undefined
}

/** The key of a POST that is to run once, its body not yet known. */
type Key = Omit<Once, 'bodyHash'>

export interface ChangedRoom {
  view: AreaView
  etag: string
  replayed: boolean
}

/**
 * What can be said of a change before its body is known; said again inside the change's own transaction. A key that
 * is known is about to be answered as the first time, when the preconditions still held.
 */
export function mayChangeRoom(
  db: Db,
  partner: Partner,
  operation: RoomOperation,
  { area, precondition }: RoomChange,
  askKey: Ask<Key | undefined>,
): Promise<VisibleArea> {
  return db.read(async (tx) => {
    const visible = await areaFor(tx, partner, { rooms: operation }, area)
    const key = askKey()
    const known = key !== undefined && (await isKeyKnown(tx, partner, key))
    if (!known) await demandExpected(tx, visible.area, precondition)
    return visible
  })
}

async function demandExpected(tx: Tx, area: Area, precondition: Precondition): Promise<void> {
  demandCycle(precondition, area.cycle)
  const view = precondition.etags === undefined ? undefined : await viewOf(tx, area)
  demandCurrent(precondition, () => represent(view).etag)
}

export function openRoom(db: Db, partner: Partner, change: RoomChange): Promise<ChangedRoom> {
  return changeRoom(db, partner, 'open_close', change, '', async (tx, area) => {
    await forgetGuest(tx, area)
    return setCycle(tx, area, newId(), nowIso())
  })
}

export function closeRoom(db: Db, partner: Partner, change: RoomChange): Promise<ChangedRoom> {
  return changeRoom(db, partner, 'open_close', change, '', async (tx, area) => {
    const forgotten = await forgetGuest(tx, area)
    if (area.cycle !== null) return setCycle(tx, area, null, nowIso())
    return forgotten > 0 ? touchArea(tx, area, nowIso()) : area
  })
}

/** What belonged to the room's cycle is gone, the remembered answers included. */
async function forgetGuest(tx: Tx, area: Area): Promise<number> {
  await endKeysOf(tx, area)
  return deleteSubscriptionsOf(tx, area)
}

export interface Addition {
  drafts: SubscriptionDraft[]
  bodyHash: string
  roomSubscriptions: number
}

export function addSubscriptions(
  db: Db,
  partner: Partner,
  change: RoomChange,
  addition: Addition,
): Promise<ChangedRoom> {
  const { drafts, bodyHash, roomSubscriptions } = addition
  return changeRoom(db, partner, 'services', change, bodyHash, async (tx, area) => {
    if (drafts.length === 0) return area
    const present = await countSubscriptionsOf(tx, area)
    if (present + drafts.length > roomSubscriptions) {
      const detail = `A room can hold ${roomSubscriptions} subscriptions; this one has ${present} already.`
      throw refusalAt('limit_exceeded', '/value', detail)
    }
    await appendSubscriptions(
      tx,
      area,
      drafts.map((draft) => ({ ...draft, id: newId() })),
    )
    return touchArea(tx, area, nowIso())
  })
}

export function removeSubscription(
  db: Db,
  partner: Partner,
  change: RoomChange,
  serviceId: string,
): Promise<ChangedRoom> {
  return changeRoom(db, partner, 'services', change, '', async (tx, area) => {
    if (hasControlCharacter(serviceId) || !(await deleteSubscription(tx, area, serviceId))) {
      throw new Refusal('service_not_found', "This subscription is not in the room's current cycle.")
    }
    return touchArea(tx, area, nowIso())
  })
}

function changeRoom(
  db: Db,
  partner: Partner,
  operation: RoomOperation,
  { area: areaId, precondition, key }: RoomChange,
  bodyHash: string,
  apply: (tx: Tx, area: Area) => Promise<Area>,
): Promise<ChangedRoom> {
  const once = key && { ...key, bodyHash }
  const work = async (tx: Tx): Promise<ChangedRoom> => {
    if (once) await lockKey(tx, partner, once)
    const { area } = await areaFor(tx, partner, { rooms: operation }, areaId, { lock: true })
    const earlier = once && (await earlierAnswer(tx, partner, once))
    if (earlier) return { view: JSON.parse(earlier.json), etag: earlier.etag, replayed: true }
    await demandExpected(tx, area, precondition)
    const view = await viewOf(tx, await apply(tx, area))
    const answer = represent(view)
    if (once) await keepAnswer(tx, partner, once, area, answer)
    return { view, etag: answer.etag, replayed: false }
  }
  return oneAtATime(db, partner, once, () => db.write(work))
}
