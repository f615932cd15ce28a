import { type Kysely, sql } from 'kysely'
import type { Transfer } from '../engine.ts'
import type { Tables } from '../tables.ts'

export function transferOf(query: Kysely<Tables>): Transfer {
  return {
    engine: 'SQLite',
    columnsOf: async (table) => {
      const columns = sql<{ name: string }>`select name from pragma_table_info(${table}) order by cid`
      return (await columns.execute(query)).rows.map(({ name }) => name)
    },
    // Does nothing, since a writing transaction excludes all other writers. `continueNumbers` does nothing either: the
    // next number that SQLite generates is always the highest one in the table plus one.
    lockTables: async () => {},
    keepNumbers: '',
    continueNumbers: async () => {},
    // SQLite plans the queries of Atrium without statistics.
    analyze: async () => {},
  }
}
