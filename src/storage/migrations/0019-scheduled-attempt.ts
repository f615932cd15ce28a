import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0019-scheduled-attempt'

/** Adds the column that keeps the time of a webhook's scheduled attempt while a manual attempt comes before it. */
export async function up(tx: MigrationTx): Promise<void> {
  await sql.raw(`alter table webhook add column scheduled_at ${tx.dialect.text}`).execute(tx.query)
}
