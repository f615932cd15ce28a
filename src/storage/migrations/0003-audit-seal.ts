import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0003-audit-seal'

/** Adds seals (hashes over entries). The background job that makes them covers existing entries in its first run. */
export async function up(tx: MigrationTx): Promise<void> {
  const { text, integer } = tx.dialect
  for (const statement of tx.dialect.auditOffsets) await sql.raw(statement).execute(tx.query)
  await sql
    .raw(`create table audit_seal (
      number ${integer} primary key, first_seq ${integer} not null, last_seq ${integer} not null,
      entries_count ${integer} not null, hashes ${text} not null, previous ${text} not null,
      sealed_at ${text} not null, hash ${text} not null)`)
    .execute(tx.query)
}
