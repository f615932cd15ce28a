import { type Kysely, sql } from 'kysely'
import type { Transfer } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { takeWriterLock } from './audit-log.ts'

export function transferOf(query: Kysely<Tables>): Transfer {
  return {
    engine: 'PostgreSQL',
    columnsOf: async (table) => {
      // Omits transaction ids, which mean nothing on another server: a restored row gets a new one.
      const columns = sql<{ name: string }>`select attname as name from pg_attribute
        where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and atttypid <> 'xid8'::regtype
        order by attnum`
      return (await columns.execute(query)).rows.map(({ name }) => name)
    },
    lockTables: async (tables) => {
      await sql`lock table ${sql.join(tables.map((name) => sql.table(name)))} in exclusive mode`.execute(query)
      // Takes the writers' lock, as restored entries have numbers: otherwise the default of the number takes it.
      await sql`select ${sql.raw(takeWriterLock)}`.execute(query)
    },
    keepNumbers: 'overriding system value',
    continueNumbers: (table) => continueNumbers(query, table),
    // Skips a table that a vacuum has locked, rather than wait for it: autovacuum also updates the statistics later.
    analyze: async (tables) => {
      await sql`analyze (skip_locked) ${sql.join(tables.map((name) => sql.table(name)))}`.execute(query)
    },
  }
}

/** Never moves a sequence backwards, since a rollback would not undo that. */
async function continueNumbers(query: Kysely<Tables>, table: string): Promise<void> {
  const numbered = sql<{ name: string; sequence: string }>`select name, sequence from (
    select attname as name, pg_get_serial_sequence(${table}, attname) as sequence from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped) own where sequence is not null`
  for (const { name, sequence } of (await numbered.execute(query)).rows) {
    await sql`select setval(${sequence}::regclass, greatest(highest, pg_sequence_last_value(${sequence}::regclass)))
      from (select max(${sql.ref(name)}) as highest from ${sql.table(table)}) number
      where highest is not null`.execute(query)
  }
}
