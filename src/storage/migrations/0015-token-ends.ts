import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0015-token-ends'

/** `announced_end`: the expiry that was last announced to the token's partner. */
export async function up(tx: MigrationTx): Promise<void> {
  const statements = [
    `alter table token add column announced_end ${tx.dialect.text}`,
    'create index token_by_end on token (expires_at)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(tx.query)
}
