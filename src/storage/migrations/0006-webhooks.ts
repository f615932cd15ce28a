import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0006-webhooks'

/** A webhook stores its position in the audit log instead of a queue, so that no event is stored twice. */
export async function up(tx: MigrationTx): Promise<void> {
  const { text, integer, serial } = tx.dialect
  for (const statement of statements(text, integer, serial)) await sql.raw(statement).execute(tx.query)
}

function statements(text: string, integer: string, serial: string): string[] {
  return [
    `alter table partner add column webhooks ${integer} not null default 0`,
    `create table webhook (
      id ${text} primary key, partner_id ${text} not null references partner (id) on delete cascade,
      url ${text} not null, types ${text} not null, own ${integer} not null,
      secret ${text} not null, old_secret ${text}, old_secret_ends_at ${text},
      place ${integer} not null, replay_after ${integer}, replay_until ${integer},
      failures ${integer} not null, failing_since ${text}, next_at ${text} not null,
      disabled_at ${text}, disabled_reason ${text}, lease_owner ${text}, lease_until ${text} not null,
      date_created ${text} not null, date_updated ${text} not null, unique (partner_id, url))`,
    `create index webhook_by_lease on webhook (lease_owner) where lease_owner is not null`,
    `create table webhook_delivery (
      seq ${serial}, webhook_id ${text} not null references webhook (id) on delete cascade,
      event ${text} not null, type ${text} not null, place ${integer} not null, attempt ${integer} not null,
      at ${text} not null, status ${integer}, duration_ms ${integer} not null, error ${text})`,
    `create index webhook_delivery_by_webhook on webhook_delivery (webhook_id, seq)`,
    `create index webhook_delivery_by_time on webhook_delivery (at)`,
  ]
}
