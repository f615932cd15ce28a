import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0008-audit-places'

/**
 * Which entries of the audit log are about a facility, found out behind those who write. As an index each write had a page
 * of its own in it, which was a third of what a small write cost the embedded engine.
 */
export async function up(tx: MigrationTx): Promise<void> {
  const { text, integer } = tx.dialect
  const statements = [
    `create table audit_place (
      facility ${text} not null, at ${text} not null, seq ${integer} not null, primary key (facility, at, seq))
      ${tx.dialect.clustered}`,
    `create table audit_placed (the_only ${integer} primary key, up_to ${integer} not null)`,
    `drop index audit_entry_by_facility`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(tx.query)
}
