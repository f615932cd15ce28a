import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0016-audit-root'

/**
 * Adds the root (the oldest seal that is kept when old entries are removed). Also records when each long value was last
 * used, so that the values of removed entries can be removed as well.
 */
export async function up(tx: MigrationTx): Promise<void> {
  const { integer } = tx.dialect
  const { rows } = await sql<{ last: number }>`select coalesce(max(seq), 0) as last from audit_entry`.execute(tx.query)
  const statements = [
    `create table audit_root (
      the_only ${integer} primary key, number ${integer} not null, last_seq ${integer} not null,
      before_seq ${integer} not null)`,
    // The default is a constant, so neither engine rewrites the table to add the column.
    `alter table audit_value add column used_after ${integer} not null default ${Number(rows[0]?.last)}`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(tx.query)
}
