import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Tx } from '../engine.ts'

/**
 * The maximum number of rows per statement. Even for wide tables, it needs fewer parameters than SQLite (32,766) and
 * PostgreSQL (65,535) allow, and building such a query is fast.
 */
const maxRows = 256

/**
 * Splits rows into runs (consecutive parts) whose lengths are powers of two. Any number of rows then needs at most nine
 * different statements, so the caches of prepared statements stay small.
 */
export function* runs<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; ) {
    const length = Math.min(maxRows, 2 ** Math.floor(Math.log2(rows.length - at)))
    yield rows.slice(at, at + length)
    at += length
  }
}

/** Splits keys into runs, runs a query with `in (…)` for each run, and returns the rows of all of them. */
export async function inRuns<K, R>(keys: readonly K[], query: (run: K[]) => Promise<R[]>): Promise<R[]> {
  const rows: R[] = []
  for (const run of runs(keys)) for (const row of await query(run)) rows.push(row)
  return rows
}

/**
 * Inserts many rows in runs. The query is built once for each length of a run, since building costs more than running
 * it. The values of the rows must be its only parameters, in the same order.
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
