import { type Kysely, sql } from 'kysely'
import type { Transfer } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { takeWriterLock } from './audit-log.ts'

export function transferOf(query: Kysely<Tables>): Transfer {
  return {
    engine: 'PostgreSQL',
    columnsOf: async (table) => {
      // Omits the column of transaction ids, which have no meaning on another server. Restored rows get the id of the
      // transaction that restores them.
      const columns = sql<{ name: string }>`select attname as name from pg_attribute
        where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and atttypid <> 'xid8'::regtype
        order by attnum`
      return (await columns.execute(query)).rows.map(({ name }) => name)
    },
    lockTables: async (tables) => {
      await sql`lock table ${sql.join(tables.map((name) => sql.table(name)))} in exclusive mode`.execute(query)
      // Takes the writers' lock of the audit log explicitly. Usually the column default of the entry number takes it,
      // but restored entries come with their numbers.
      await sql`select ${sql.raw(takeWriterLock)}`.execute(query)
    },
    keepNumbers: 'overriding system value',
    continueNumbers: (table) => continueNumbers(query, table),
  }
}

/**
 * Makes generated numbers continue after the highest one in the table. Moves sequences only forwards, since a rollback
 * does not reset them.
 */
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
