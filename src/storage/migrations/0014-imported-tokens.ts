import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0014-imported-tokens'

/** `rotate_by`: the time by which a token imported from another system should be replaced. */
export async function up(tx: MigrationTx): Promise<void> {
  const { text } = tx.dialect
  const statements = [
    `alter table token add column rotate_by ${text}`,
    'create unique index token_by_hash on token (hash)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(tx.query)
}
