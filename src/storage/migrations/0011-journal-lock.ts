import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0011-journal-lock'

/** From here on events wait only for transactions that add to the journal, not for all that write to its table or lock it. */
export async function up(tx: MigrationTx): Promise<void> {
  for (const statement of tx.dialect.auditWriterLock) await sql.raw(statement).execute(tx.query)
}
