import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Tx } from '../engine.ts'

/** Below SQLite's 32,766 and PostgreSQL's 65,535 parameters for every table, with statements that compile fast. */
const rowsAtMost = 256

/**
 * Cuts rows into runs whose lengths are powers of two: however many rows there are, an engine sees a handful of
 * different statements, and those it keeps prepared stay few.
 */
export function* runs<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; ) {
    const length = Math.min(rowsAtMost, 2 ** Math.floor(Math.log2(rows.length - at)))
    yield rows.slice(at, at + length)
    at += length
  }
}

/** The rows of a query with an `in (…)` for each run of keys. */
export async function inRuns<K, R>(keys: readonly K[], query: (run: K[]) => Promise<R[]>): Promise<R[]> {
  const rows: R[] = []
  for (const run of runs(keys)) for (const row of await query(run)) rows.push(row)
  return rows
}

/**
 * Inserts many rows. Building a query costs more than running it, so one is built for each length of run; the rows
 * themselves are its only parameters.
 */
export async function insertInRuns<R extends object>(
  tx: Tx,
  rows: readonly R[],
  insert: (run: R[]) => Compilable,
  inserted: (result: QueryResult<unknown>) => void = () => {},
): Promise<void> {
  const byLength = new Map<number, CompiledQuery>()
  for (const run of runs(rows)) {
    const query = byLength.get(run.length) ?? insert(run).compile()
    byLength.set(run.length, query)
    const parameters = run.flatMap((row) => Object.values(row))
    inserted(await tx.query.executeQuery({ ...query, parameters }))
  }
}
