import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0013-refusals-and-responses'

/** Counts refusals by problem code, and stores the response of a webhook's receiver to the newest delivery. */
export async function up(tx: MigrationTx): Promise<void> {
  const { text, integer } = tx.dialect
  const statements = [
    `create table refusal_count (
      minute ${text} not null, partner ${text} not null, code ${text} not null, requests ${integer} not null,
      primary key (minute, partner, code))`,
    `alter table webhook_delivery add column response ${text}`,
    // Stays small, since only the newest delivery of a webhook keeps its response.
    `create index webhook_delivery_with_response on webhook_delivery (webhook_id) where response is not null`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(tx.query)
}
