import { sql } from 'kysely'
import type { BackupPart, BackupTable, Cell, Row, RowCounts } from '../../domain/backup.ts'
import type { Tx } from '../engine.ts'
import { storedTables } from '../tables.ts'
import { insertInRuns } from './bulk.ts'

const names = Object.keys(storedTables) as (keyof typeof storedTables)[]

/** Returns the tables that a backup contains. Those that a pending migration will create are missing. */
export async function existingTables(tx: Tx): Promise<BackupTable[]> {
  const tables = []
  for (const name of names) tables.push({ name, columns: await tx.transfer.columnsOf(name) })
  return tables.filter(({ columns }) => columns.length > 0)
}

export async function rowCounts(tx: Tx, tables: BackupTable[]): Promise<RowCounts> {
  const counts: RowCounts = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(tx.query)
    counts[name] = Number(rows[0]?.count)
  }
  return counts
}

/** Updates the planner statistics of all tables after a large change. */
export async function analyzeTables(tx: Tx): Promise<void> {
  await tx.transfer.analyze((await existingTables(tx)).map(({ name }) => name))
}

const maxRows = 256
const targetBytes = 1_048_576

/** Yields all rows of a table, ordered by primary key, in parts of about 1 MB. */
export async function* partsOf(tx: Tx, table: BackupTable): AsyncGenerator<BackupPart> {
  const key: readonly string[] = storedTables[table.name as keyof typeof storedTables]
  let limit = 16
  for (let after: Cell[] | undefined; ; ) {
    const found = await rowsAfter(tx, table, key, after, limit)
    yield { table, rows: found.map((row) => table.columns.map((column) => row[column] as Cell)) }
    const last = found.at(-1)
    if (last === undefined || found.length < limit) return
    after = key.map((column) => last[column] as Cell)
    const bytes = Math.max(1, JSON.stringify(found).length)
    limit = Math.max(1, Math.min(maxRows, Math.floor((found.length * targetBytes) / bytes)))
  }
}

async function rowsAfter(
  tx: Tx,
  { name, columns }: BackupTable,
  key: readonly string[],
  after: Cell[] | undefined,
  limit: number,
): Promise<Record<string, Cell>[]> {
  const keyColumns = sql.join(key.map((column) => sql.ref(column)))
  const beyond = after === undefined ? sql`` : sql`where (${keyColumns}) > (${sql.join(after)})`
  const selected = sql.join(columns.map((column) => sql.ref(column)))
  const query = sql<Record<string, Cell>>`select ${selected} from ${sql.table(name)} ${beyond}
    order by ${keyColumns} limit ${limit}`
  return (await query.execute(tx.query)).rows
}

/** Inserts rows with the given values in all columns, including numbers that the engine would otherwise generate. */
export async function insertRows(tx: Tx, { name, columns }: BackupTable, rows: Row[]): Promise<void> {
  const into = sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
    ${sql.raw(tx.transfer.keepNumbers)}`
  await insertInRuns(tx, rows, (run) => {
    const values = sql.join(run.map((row) => sql`(${sql.join(row)})`))
    return { compile: () => sql`${into} values ${values}`.compile(tx.query) }
  })
}

/** Starts with the last table: rows must be deleted before the rows that their foreign keys refer to. */
export async function deleteAllRows(tx: Tx, tables: BackupTable[]): Promise<void> {
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(tx.query)
}
