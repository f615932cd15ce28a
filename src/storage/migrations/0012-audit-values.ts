import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0012-audit-values'

/** Long values move out of the details of audit entries, which then contain the SHA-256 of the value. */
export async function up(tx: MigrationTx): Promise<void> {
  const { text } = tx.dialect
  await sql.raw(`create table audit_value (hash ${text} primary key, value ${text} not null)`).execute(tx.query)
}
