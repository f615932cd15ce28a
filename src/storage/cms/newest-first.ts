import { type RawBuilder, sql } from 'kysely'
import type { LogPosition } from '../../domain/log-cursor.ts'
import type { Tx } from '../engine.ts'

export type Condition = RawBuilder<boolean>

// Searches the logs newest first. Conditions that an index covers bound the scan; the others are checked row by row, up to
// a limit per request, so that a search for rare entries has a bounded cost and the next page continues where it stopped.

export interface LogSearch {
  table: 'request_log' | 'audit_entry'
  /** Conditions that an index covers. */
  indexed: Condition[]
  /** A query for the numbers of matching entries, where a separate table serves as the index. */
  seqs?: ((conditions: Condition, limit: number) => RawBuilder<unknown>) | undefined
  /** Conditions that are checked row by row. */
  scanned: Condition[]
  after: LogPosition | undefined
  limit: number
}

export interface LogRows<Row> {
  rows: Row[]
  /** The last entry that was scanned, if the limit ended the scan. */
  scannedTo: LogPosition | undefined
}

const maxScanned = 10_000

/** Returns the next page after `after`. */
export async function newestFirst<Row>(tx: Tx, search: LogSearch): Promise<LogRows<Row>> {
  const { indexed, scanned, after, limit } = search
  const beyond = after === undefined ? [] : [sql<boolean>`(at, seq) < (${after.at}, ${after.seq})`]
  const within = (most: number) => entriesIn(search, all([...indexed, ...beyond]), most)
  if (scanned.length === 0) {
    const { rows } = await sql<Row>`select * ${within(limit)} limit ${limit}`.execute(tx.query)
    return { rows, scannedTo: undefined }
  }
  const candidates = sql`(select * ${within(maxScanned)} limit ${maxScanned}) looked`
  const found = sql<Row>`select * from ${candidates} where ${all(scanned)} order by at desc, seq desc limit ${limit}`
  const { rows } = await found.execute(tx.query)
  if (rows.length === limit) return { rows, scannedTo: undefined }
  const last = sql<LogPosition>`select at, seq ${within(maxScanned)} limit 1 offset ${maxScanned - 1}`
  return { rows, scannedTo: (await last.execute(tx.query)).rows[0] }
}

function entriesIn({ table, seqs }: LogSearch, conditions: Condition, limit: number): RawBuilder<unknown> {
  const where = seqs === undefined ? conditions : sql`seq in (${seqs(conditions, limit)})`
  return sql`from ${sql.table(table)} where ${where} order by at desc, seq desc`
}

function all(conditions: Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`
}

/** Returns a condition if the value is defined. */
export function given<T>(value: T | undefined, condition: (value: T) => Condition): Condition[] {
  return value === undefined ? [] : [condition(value)]
}
