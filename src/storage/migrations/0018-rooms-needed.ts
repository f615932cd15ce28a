import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0018-rooms-needed'

/** Adds the column with the room operations for which a bulk request (with operations on many rooms) needed a grant. */
export async function up(tx: MigrationTx): Promise<void> {
  await sql.raw(`alter table request_log add column rooms_needed ${tx.dialect.text}`).execute(tx.query)
}
