import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0007-sandboxes'

/** A sandbox row names its owner; the rows of its facilities hold the state to which a reset returns. */
export async function up(tx: MigrationTx): Promise<void> {
  const { text, integer } = tx.dialect
  for (const statement of statements(text, integer)) await sql.raw(statement).execute(tx.query)
}

function statements(text: string, integer: string): string[] {
  return [
    `create table sandbox (
      id ${text} primary key references partner (id) on delete cascade,
      owner_id ${text} not null unique references partner (id) on delete cascade,
      ahead_ms ${integer} not null, set_to ${text}, date_created ${text} not null, last_reset ${text})`,
    `create table sandbox_facility (
      facility_id ${integer} primary key references facility (id) on delete cascade,
      sandbox_id ${text} not null references sandbox (id) on delete cascade,
      copy_of ${text} not null, start ${text} not null)`,
    `create index sandbox_facility_by_sandbox on sandbox_facility (sandbox_id)`,
  ]
}
