import { sql } from 'kysely'
import type { Db } from '../../src/storage/database.ts'

/** Lists tables and their columns, from the engine's catalog. */
export function tablesIn(db: Db): Promise<Record<string, string[]>> {
  return db.read(async (tx) => {
    const tables = await tx.query.introspection.getTables()
    const columns = tables.map(({ name, columns }) => {
      return [name, columns.filter(({ dataType }) => dataType !== 'xid8').map((column) => column.name)]
    })
    return Object.fromEntries(columns)
  })
}

/** Returns every row of every table that a backup holds, as texts in a fixed order. */
export async function rowsIn(db: Db): Promise<Record<string, string[]>> {
  const { atrium_migration: _own, node_url: _node, ...tables } = await tablesIn(db)
  return db.read(async (tx) => {
    const rows: Record<string, string[]> = {}
    for (const [name, columns] of Object.entries(tables).sort()) {
      const all = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(tx.query)
      const texts = all.rows.map((row) => JSON.stringify(columns.toSorted().map((column) => [column, row[column]])))
      rows[name] = texts.sort()
    }
    return rows
  })
}
