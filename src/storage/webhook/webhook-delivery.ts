import { sql } from 'kysely'
import { offsetsPerEntry } from '../../domain/room/event-offset.ts'
import type { Delivery } from '../../domain/webhook/webhook.ts'
import type { Tx } from '../engine.ts'
import { statement } from '../statement.ts'

export interface LoggedDelivery extends Delivery {
  seq: number
  /** The facility of the event; null for an event of the partner, and if the audit log no longer has the change. */
  facility: string | null
  /** The full id of the room of the event. */
  area: string | null
}

const insert = statement(`insert into webhook_delivery
  (webhook_id, event, type, place, attempt, at, status, duration_ms, error, response)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`)
const deleteResponses = statement(
  'update webhook_delivery set response = null where webhook_id = $1 and response is not null',
)

/** Logs an attempt. Deletes the receiver's responses to earlier ones: only that to the newest attempt is kept. */
export function recordDelivery(tx: Tx, webhook: string, offset: number, delivery: Delivery): void {
  const { event, type, attempt, at, status, durationMs, error, response } = delivery
  tx.post(deleteResponses, webhook)
  tx.post(insert, webhook, event, type, offset, attempt, at, status, durationMs, error, response)
}

/** Returns the newest attempts by webhook id. Webhooks without attempts are missing. */
export async function lastDeliveries(tx: Tx, webhooks: string[]): Promise<Map<string, LoggedDelivery>> {
  const last = new Map<string, LoggedDelivery>()
  for (const id of webhooks) for (const delivery of await pageOfDeliveries(tx, id, undefined, 1)) last.set(id, delivery)
  return last
}

export async function pageOfDeliveries(
  tx: Tx,
  webhook: string,
  before: number | undefined,
  limit: number,
): Promise<LoggedDelivery[]> {
  const rows = await tx.query
    .selectFrom('webhook_delivery as delivery')
    .leftJoin('audit_entry', (join) =>
      join.on(sql<boolean>`audit_entry.seq = delivery.place / ${sql.lit(offsetsPerEntry)}`),
    )
    .selectAll('delivery')
    .select(['audit_entry.facility', 'audit_entry.subject'])
    .where('webhook_id', '=', webhook)
    .$if(before !== undefined, (query) => query.where('delivery.seq', '<', before as number))
    .orderBy('delivery.seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ webhook_id: _webhook, place: _place, duration_ms: durationMs, subject, ...row }) => {
    return { ...row, area: row.facility === null ? null : subject, durationMs }
  })
}

export async function trimDeliveries(tx: Tx, webhook: string, maxRows: number): Promise<void> {
  const last = await tx.query
    .selectFrom('webhook_delivery')
    .select('seq')
    .where('webhook_id', '=', webhook)
    .orderBy('seq', 'desc')
    .offset(maxRows)
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return
  await tx.query.deleteFrom('webhook_delivery').where('webhook_id', '=', webhook).where('seq', '<=', last.seq).execute()
}

const lastOfOld = statement<{ at: string }>(
  'select at from webhook_delivery where at < $1 order by at limit 1 offset $2',
)
const deleteBefore = statement('delete from webhook_delivery where at < $1')

/** Deletes a batch of logged attempts from before `oldestIso`. Returns whether there may be more to delete. */
export async function deleteOldDeliveries(tx: Tx, oldestIso: string, limit: number): Promise<boolean> {
  const [last] = await tx.rows(lastOfOld, oldestIso, limit)
  tx.post(deleteBefore, last?.at ?? oldestIso)
  return last !== undefined
}
