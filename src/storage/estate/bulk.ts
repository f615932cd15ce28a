import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Tx } from '../engine.ts'

/** Stays below SQLite's 32,766 and PostgreSQL's 65,535 parameters for every table, and compiles fast. */
const maxRows = 256

/**
 * Splits rows into runs whose lengths are powers of two, so that any number of rows needs at most nine different
 * statements, and the caches of prepared statements stay small.
 */
export function* runs<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; ) {
    const length = Math.min(maxRows, 2 ** Math.floor(Math.log2(rows.length - at)))
    yield rows.slice(at, at + length)
    at += length
  }
}

/** Runs a query with an `in (…)` once per run of keys, and returns all rows. */
export async function inRuns<K, R>(keys: readonly K[], query: (run: K[]) => Promise<R[]>): Promise<R[]> {
  const rows: R[] = []
  for (const run of runs(keys)) for (const row of await query(run)) rows.push(row)
  return rows
}

/**
 * Inserts many rows. Building a query costs more than running it, so it is built once per length of run. The values of the
 * rows must be its only parameters, in order.
 */
export async function insertInRuns<R extends object>(
  tx: Tx,
  rows: readonly R[],
  insert: (run: R[]) => Compilable,
  onInserted: (result: QueryResult<unknown>) => void = () => {},
): Promise<void> {
  const byLength = new Map<number, CompiledQuery>()
  for (const run of runs(rows)) {
    const query = byLength.get(run.length) ?? insert(run).compile()
    byLength.set(run.length, query)
    const parameters = run.flatMap((row) => Object.values(row))
    onInserted(await tx.query.executeQuery({ ...query, parameters }))
  }
}
