import type { Area } from '../domain/area.ts'
import type { Subscription } from '../domain/subscription.ts'
import { inRuns, insertInRuns } from './bulk.ts'
import type { Tx } from './engine.ts'
import type { SubscriptionTable } from './tables.ts'

export async function subscriptionsOf(tx: Tx, area: Area): Promise<Subscription[]> {
  const rows = await tx.query
    .selectFrom('subscription')
    .selectAll()
    .where('area_id', '=', area.id)
    .orderBy('position')
    .execute()
  return rows.map(toSubscription)
}

/** The subscriptions of many areas at once, by the area's id. */
export async function subscriptionsOfMany(tx: Tx, areas: Area[]): Promise<Map<string, Subscription[]>> {
  const rows = await inRuns(
    areas.map(({ id }) => id),
    (ids) =>
      tx.query
        .selectFrom('subscription')
        .selectAll()
        .where('area_id', 'in', ids)
        .orderBy('area_id')
        .orderBy('position')
        .execute(),
  )
  const byArea = new Map<string, Subscription[]>(areas.map((area) => [area.id, []]))
  for (const row of rows) byArea.get(row.area_id)?.push(toSubscription(row))
  return byArea
}

export async function countSubscriptionsOf(tx: Tx, area: Area): Promise<number> {
  const { count } = await tx.query
    .selectFrom('subscription')
    .where('area_id', '=', area.id)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function appendSubscriptions(tx: Tx, area: Area, added: Subscription[]): Promise<void> {
  if (added.length === 0) return
  const last = await tx.query
    .selectFrom('subscription')
    .where('area_id', '=', area.id)
    .select((select) => select.fn.max<number | null>('position').as('position'))
    .executeTakeFirst()
  const first = (last?.position ?? 0) + 1
  const rows = added.map(({ extra, start, end, ...common }, index) => ({
    ...common,
    area_id: area.id,
    position: first + index,
    start_at: start,
    end_at: end,
    extra: JSON.stringify(extra),
  }))
  await insertInRuns(tx, rows, (run) => tx.query.insertInto('subscription').values(run))
}

export async function deleteSubscription(tx: Tx, area: Area, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.query
    .deleteFrom('subscription')
    .where('area_id', '=', area.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Answers how many there were. */
export async function deleteSubscriptionsOf(tx: Tx, area: Area): Promise<number> {
  const { numDeletedRows } = await tx.query.deleteFrom('subscription').where('area_id', '=', area.id).executeTakeFirst()
  return Number(numDeletedRows)
}

function toSubscription(row: SubscriptionTable): Subscription {
  return {
    id: row.id,
    code: row.code,
    label: row.label,
    status: row.status,
    start: row.start_at,
    end: row.end_at,
    extra: JSON.parse(row.extra),
  }
}
