import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type { Tx } from '../engine.ts'
import type { Statement, Value } from '../statement.ts'

const maxStatements = 500

export type Prepared = Pick<Tx, 'rows'> & { run(sql: string): void; get(sql: string): unknown; close(): void }

/** Matches statements that only read. All others count as statements that may change something. */
const reads = /^\s*select\b/i

/** Calls `onChange` before each statement that may change data. */
export function prepared(database: DatabaseSync, onChange = () => {}): Prepared {
  const cache = new Map<string, CachedStatement>()
  const find = (sql: string) => {
    let found = cache.get(sql)
    if (found === undefined) {
      found = cachedStatement(database.prepare(sql), !reads.test(sql))
      cache.set(sql, found)
    }
    return found
  }
  return {
    rows: <Row>({ positional, order }: Statement<Row>, ...values: Value[]) => {
      const inOrder = order === undefined ? values : order.map((index) => values[index] as Value)
      const { all, columns, changes } = find(positional)
      if (changes) onChange()
      return all(...inOrder).map((row) => toObject(columns, row)) as Row[]
    },
    run: (sql) => void find(sql).all(),
    get: (sql) => find(sql).all()[0]?.[0],
    close: () => database.close(),
  }
}

interface CachedStatement {
  all(...values: Value[]): unknown[][]
  columns: string[]
  changes: boolean
}

/** Rows come as arrays, for `toObject`: the driver's own objects take twice as long to make and are slower to read. */
function cachedStatement(statement: StatementSync, changes: boolean): CachedStatement {
  statement.setReturnArrays(true)
  return {
    all: (...values) => statement.all(...values) as unknown as unknown[][],
    columns: statement.columns().map(({ name }) => name),
    changes,
  }
}

function toObject(columns: string[], values: unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) row[columns[at] as string] = values[at]
  return row
}

const noChanges = { changes: 0, lastInsertRowid: 0 }

/** Adapts `node:sqlite` to the interface that Kysely expects. */
export function forKysely(database: DatabaseSync, onChange = () => {}): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const known = cache.get(sql)
      if (known !== undefined) return known
      if (cache.size >= maxStatements) cache.clear()
      const statement = database.prepare(sql)
      const onRun = reads.test(sql) ? () => {} : onChange
      const run = (...parameters: SQLInputValue[]) => {
        onRun()
        return statement.run(...parameters)
      }
      const prepared: SqliteStatement = {
        reader: statement.columns().length > 0,
        all: (parameters) => {
          onRun()
          return statement.all(...(parameters as SQLInputValue[]))
        },
        // After some errors SQLite has already rolled back. A second rollback would fail and hide the first error.
        run:
          sql === 'rollback'
            ? () => (database.isTransaction ? run() : noChanges)
            : (parameters) => run(...(parameters as SQLInputValue[])),
        iterate: (parameters) => {
          onRun()
          return statement.iterate(...(parameters as SQLInputValue[]))
        },
      }
      cache.set(sql, prepared)
      return prepared
    },
  }
}
