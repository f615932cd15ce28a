import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0013-refusals-and-responses'

/** Adds the counts of refused requests by problem code, and a column for the last response of a webhook's receiver. */
export async function up(tx: MigrationTx): Promise<void> {
  const { text, integer } = tx.dialect
  const statements = [
    `create table refusal_count (
      minute ${text} not null, partner ${text} not null, code ${text} not null, requests ${integer} not null,
      primary key (minute, partner, code))`,
    `alter table webhook_delivery add column response ${text}`,
    // A small index, since at most one delivery per webhook has a response.
    `create index webhook_delivery_with_response on webhook_delivery (webhook_id) where response is not null`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(tx.query)
}
