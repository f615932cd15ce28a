import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0011-journal-lock'

/** Adds the lock by which the delivery of events waits only for transactions that add audit entries. */
export async function up(tx: MigrationTx): Promise<void> {
  for (const statement of tx.dialect.auditWriterLock) await sql.raw(statement).execute(tx.query)
}
