import type { Room } from '../domain/area.ts'
import { type Subscription, subscriptionJson } from '../domain/subscription.ts'
import type { Tx } from './engine.ts'
import { statement } from './statement.ts'

/** A subscription as it is kept: its JSON is what is answered. */
export interface KeptSubscription {
  id: string
  code: string
  position: number
  json: string
}

const ofRoom = statement<KeptSubscription>(`
  select s.id, s.code, s.position, s.json from subscription s join area a on a.id = s.area_id
  where a.id_external = $1 order by s.position`)

/** Those of a room's current cycle, oldest first. */
export async function subscriptionsOf(tx: Tx, fullId: string): Promise<KeptSubscription[]> {
  return tx.rows(ofRoom, fullId)
}

const insert = statement(`insert into subscription (id, area_id, position, code, start_at, end_at, json)
  values ($1, $2, $3, $4, $5, $6, $7)`)

export function appendSubscriptions(
  tx: Tx,
  room: Room,
  present: KeptSubscription[],
  added: Subscription[],
): KeptSubscription[] {
  const first = (present.at(-1)?.position ?? 0) + 1
  return added.map((subscription, index) => {
    const { id, code, start, end } = subscription
    const kept = { id, code, position: first + index, json: subscriptionJson(subscription) }
    tx.post(insert, id, room.id, kept.position, code, start, end, kept.json)
    return kept
  })
}

const remove = statement('delete from subscription where area_id = $1 and id = $2')

export function deleteSubscription(tx: Tx, room: Room, id: string): void {
  tx.post(remove, room.id, id)
}

const removeAll = statement('delete from subscription where area_id = $1')

export function deleteSubscriptionsOf(tx: Tx, room: Room): void {
  tx.post(removeAll, room.id)
}
