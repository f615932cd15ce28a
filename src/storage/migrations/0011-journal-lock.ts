import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0011-journal-lock'

/**
 * Adds an advisory lock, taken in shared mode by transactions that add audit entries. The delivery of events then waits
 * only for these transactions, and not for others.
 */
export async function up(tx: MigrationTx): Promise<void> {
  for (const statement of tx.dialect.auditWriterLock) await sql.raw(statement).execute(tx.query)
}
