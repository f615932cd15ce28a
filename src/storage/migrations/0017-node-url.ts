import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'

export const name = '0017-node-url'

/** Adds the table with the address of the node that started last, which a backup does not contain. */
export async function up(tx: MigrationTx): Promise<void> {
  const { text, integer } = tx.dialect
  await sql.raw(`create table node_url (the_only ${integer} primary key, url ${text} not null)`).execute(tx.query)
}
