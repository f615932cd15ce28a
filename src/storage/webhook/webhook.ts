import type { Selectable } from 'kysely'
import type { DisabledReason, Webhook } from '../../domain/webhook/webhook.ts'
import type { Tx } from '../engine.ts'
import type { WebhookTable } from '../table-rows.ts'

/** The secret that signs deliveries, and the previous secret. Until `oldEndsAt`, deliveries are signed with both. */
interface Secrets {
  secret: string
  old: string | null
  oldEndsAt: string | null
}

export interface StoredWebhook extends Webhook, Secrets {
  /** The webhook's cursor: the number of the last audit entry that was sent or skipped. */
  place: number
  /** When the scheduled attempt is due that a manual attempt comes before; null if none does. */
  scheduledAt: string | null
  /** The events to send again before new ones: those whose numbers are above `after`, up to and including `until`. */
  replay: { after: number; until: number } | undefined
}

export function toWebhook(row: Selectable<WebhookTable>): StoredWebhook {
  const { replay_after: after, replay_until: until } = row
  return {
    id: row.id,
    partner: row.partner_id,
    url: row.url,
    types: JSON.parse(row.types),
    own: row.own === 1,
    dateCreated: row.date_created,
    dateUpdated: row.date_updated,
    failures: row.failures,
    failingSince: row.failing_since,
    nextAt: row.next_at,
    scheduledAt: row.scheduled_at,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason as DisabledReason | null,
    secret: row.secret,
    old: row.old_secret,
    oldEndsAt: row.old_secret_ends_at,
    place: row.place,
    replay: after === null || until === null ? undefined : { after, until },
  }
}

export async function listWebhooks(tx: Tx, partner: string): Promise<StoredWebhook[]> {
  const rows = await tx.query
    .selectFrom('webhook')
    .selectAll()
    .where('partner_id', '=', partner)
    .orderBy('date_created')
    .orderBy('id')
    .execute()
  return rows.map(toWebhook)
}

const ofPartner = (tx: Tx, partner: string, id: string) =>
  tx.query.selectFrom('webhook').selectAll().where('id', '=', id).where('partner_id', '=', partner)

export async function findWebhook(tx: Tx, partner: string, id: string): Promise<StoredWebhook | undefined> {
  const row = await ofPartner(tx, partner, id).executeTakeFirst()
  return row && toWebhook(row)
}

export async function lockWebhook(tx: Tx, partner: string, id: string): Promise<StoredWebhook | undefined> {
  const row = await tx.lockRow(ofPartner(tx, partner, id)).executeTakeFirst()
  return row && toWebhook(row)
}

export async function insertWebhook(tx: Tx, webhook: StoredWebhook): Promise<void> {
  await tx.query
    .insertInto('webhook')
    .values({
      id: webhook.id,
      partner_id: webhook.partner,
      date_created: webhook.dateCreated,
      lease_owner: null,
      lease_until: webhook.nextAt,
      ...columnsOf(webhook),
    })
    .execute()
}

export async function updateWebhook(tx: Tx, webhook: StoredWebhook): Promise<void> {
  await tx.query.updateTable('webhook').set(columnsOf(webhook)).where('id', '=', webhook.id).execute()
}

/** Returns the columns of a webhook that can change, except those of the lease (which node may send its events). */
export function columnsOf({ replay, ...webhook }: StoredWebhook) {
  return {
    url: webhook.url,
    types: JSON.stringify(webhook.types),
    own: Number(webhook.own),
    secret: webhook.secret,
    old_secret: webhook.old,
    old_secret_ends_at: webhook.oldEndsAt,
    place: webhook.place,
    replay_after: replay?.after ?? null,
    replay_until: replay?.until ?? null,
    failures: webhook.failures,
    failing_since: webhook.failingSince,
    next_at: webhook.nextAt,
    scheduled_at: webhook.scheduledAt,
    disabled_at: webhook.disabledAt,
    disabled_reason: webhook.disabledReason,
    date_updated: webhook.dateUpdated,
  }
}

export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.query.deleteFrom('webhook').where('id', '=', id).execute()
}
