import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type { Tx } from '../engine.ts'
import type { Statement, Value } from '../statement.ts'

const statementsAtMost = 500

export type Prepared = Pick<Tx, 'rows'> & { run(sql: string): void; get(sql: string): unknown; close(): void }

/** All others are taken for statements that change something. */
const reads = /^\s*select\b/i

/** A connection with its statements prepared when they are first used, and kept. */
export function prepared(database: DatabaseSync, changing = () => {}): Prepared {
  const known = new Map<string, Question>()
  const find = (sql: string) => {
    let found = known.get(sql)
    if (found === undefined) {
      found = questionOf(database.prepare(sql), !reads.test(sql))
      known.set(sql, found)
    }
    return found
  }
  return {
    rows: <Row>({ positional, order }: Statement<Row>, ...values: Value[]) => {
      const inOrder = order === undefined ? values : order.map((place) => values[place] as Value)
      const { all, columns, changes } = find(positional)
      if (changes) changing()
      return all(...inOrder).map((row) => named(columns, row)) as Row[]
    },
    run: (sql) => void find(sql).all(),
    get: (sql) => find(sql).all()[0]?.[0],
    close: () => database.close(),
  }
}

interface Question {
  all(...values: Value[]): unknown[][]
  columns: string[]
  changes: boolean
}

/** Its rows come as arrays: the driver takes twice as long to make objects, and whoever reads those takes longer, too. */
function questionOf(statement: StatementSync, changes: boolean): Question {
  statement.setReturnArrays(true)
  return {
    all: (...values) => statement.all(...values) as unknown as unknown[][],
    columns: statement.columns().map(({ name }) => name),
    changes,
  }
}

function named(columns: string[], values: unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) row[columns[at] as string] = values[at]
  return row
}

const nothing = { changes: 0, lastInsertRowid: 0 }

/** node:sqlite in the shape that Kysely's dialect expects, with its statements kept. */
export function forKysely(database: DatabaseSync, changing = () => {}): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const known = statements.get(sql)
      if (known !== undefined) return known
      if (statements.size >= statementsAtMost) statements.clear()
      const statement = database.prepare(sql)
      const begun = reads.test(sql) ? () => {} : changing
      const run = (...parameters: SQLInputValue[]) => {
        begun()
        return statement.run(...parameters)
      }
      const prepared: SqliteStatement = {
        reader: statement.columns().length > 0,
        all: (parameters) => {
          begun()
          return statement.all(...(parameters as SQLInputValue[]))
        },
        // After some errors the engine has taken everything back by itself; the error is what is to be told.
        run:
          sql === 'rollback'
            ? () => (database.isTransaction ? run() : nothing)
            : (parameters) => run(...(parameters as SQLInputValue[])),
        iterate: (parameters) => {
          begun()
          return statement.iterate(...(parameters as SQLInputValue[]))
        },
      }
      statements.set(sql, prepared)
      return prepared
    },
  }
}
