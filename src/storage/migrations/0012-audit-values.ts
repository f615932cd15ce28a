import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0012-audit-values'

/** The long values of entries of the audit log, by their SHA-256, which the entries name. */
export async function up(tx: MigrationTx): Promise<void> {
  const { text } = tx.dialect
  await sql.raw(`create table audit_value (hash ${text} primary key, value ${text} not null)`).execute(tx.query)
}
