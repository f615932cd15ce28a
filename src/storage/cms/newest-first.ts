import { type RawBuilder, sql } from 'kysely'
import type { LogPosition } from '../../domain/log-cursor.ts'
import type { Tx } from '../engine.ts'

type Condition = RawBuilder<boolean>

// Searches the request log and the audit log, newest entries first. Conditions that a database index covers limit which
// entries are read. The other conditions are checked entry by entry, for a limited number of entries per request, so
// that a search for rare entries stays cheap; the next page continues after the last checked entry.

export interface LogSearch {
  table: 'request_log' | 'audit_entry'
  /** Conditions that a database index covers. They limit which entries are scanned. */
  indexed: Condition[]
  /** Set if the index is a table of its own, as for entries by facility. */
  seqs?: ((conditions: Condition, limit: number) => RawBuilder<unknown>) | undefined
  scanned: Condition[]
  after: LogPosition | undefined
  limit: number
}

export interface LogRows<Row> {
  rows: Row[]
  /** The last entry scanned, if the search ended at `maxScanned` entries: the next page continues there. */
  scannedTo: LogPosition | undefined
}

const maxScanned = 10_000

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

export function given<T>(value: T | undefined, condition: (value: T) => Condition): Condition[] {
  return value === undefined ? [] : [condition(value)]
}
