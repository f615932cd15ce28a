import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Client } from 'pg'

/** Rows for an existing table. */
export interface Table {
  name: string
  columns: string[]
  /** Columns that contain JSON, for engines with a JSON type. */
  json?: string[]
  rows: Iterable<SQLInputValue[]>
}

/** Inserts all in one transaction; no other process may have the file open. */
export function fillSqlite(file: string, tables: Iterable<Table>): void {
  const db = new DatabaseSync(file)
  db.exec('pragma synchronous = off; pragma foreign_keys = off; begin')
  for (const { name, columns, rows } of tables) {
    const marks = columns.map(() => '?').join(', ')
    const insert = db.prepare(`insert into "${name}" (${quoted(columns)}) values (${marks})`)
    for (const row of rows) insert.run(...row)
  }
  db.exec('commit; analyze')
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()
}

const rowsPerStatement = 5000

export async function fillPostgres(url: string, tables: Iterable<Table>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  for (const { name, columns, rows, json = [] } of tables) {
    const list = quoted(columns)
    const insert = `insert into "${name}" (${list}) select ${list} from json_populate_recordset(null::"${name}", $1)`
    for (const batch of batches(rows, rowsPerStatement)) {
      const value = (column: string, cell: unknown) => (json.includes(column) ? JSON.parse(String(cell)) : cell)
      const records = batch.map((row) => Object.fromEntries(columns.map((name, at) => [name, value(name, row[at])])))
      await client.query(insert, [JSON.stringify(records)])
    }
  }
  await client.query('commit')
  await client.query('vacuum analyze')
  await client.end()
}

function quoted(columns: string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length === size) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
