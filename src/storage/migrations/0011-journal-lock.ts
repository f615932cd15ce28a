import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0011-journal-lock'

/** Adds the writers' lock of the audit log, so that events wait only for transactions that add entries to it. */
export async function up(tx: MigrationTx): Promise<void> {
  for (const statement of tx.dialect.auditWriterLock) await sql.raw(statement).execute(tx.query)
}
