import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Tx } from '../engine.ts'

/** The most rows per statement. Limits its parameters to fewer than SQLite (32,766) and PostgreSQL (65,535) allow. */
const maxRows = 256

/**
 * Splits rows into runs (consecutive parts) whose lengths are powers of two, up to 256: at most nine different
 * statements for any number of rows, which keeps the caches of prepared statements small.
 */
export function* runs<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; ) {
    const length = Math.min(maxRows, 2 ** Math.floor(Math.log2(rows.length - at)))
    yield rows.slice(at, at + length)
    at += length
  }
}

/** Runs a query with `in (…)` for each run of keys. */
export async function inRuns<K, R>(keys: readonly K[], query: (run: K[]) => Promise<R[]>): Promise<R[]> {
  const rows: R[] = []
  for (const run of runs(keys)) for (const row of await query(run)) rows.push(row)
  return rows
}

/**
 * Builds the query once for each length of a run, since building costs more than running it. The values of the rows, in
 * their order, must be the only parameters of the query.
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
