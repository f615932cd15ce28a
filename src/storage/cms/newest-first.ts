import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../engine.ts'

/** Where an entry stands in a log. */
export interface LogPosition {
  at: string
  seq: number
}

export type Condition = RawBuilder<boolean>

export interface LogSearch {
  table: 'request_log' | 'audit_entry'
  /** What an index finds. */
  near: Condition[]
  /** The places of the newest entries that these conditions fit, where no index of the table finds them. */
  places?: ((conditions: Condition, limit: number) => RawBuilder<unknown>) | undefined
  /** What has to be looked at, entry by entry. */
  other: Condition[]
  after: LogPosition | undefined
  limit: number
}

export interface LogRows<Row> {
  rows: Row[]
  /** The last entry that was looked at, where there are more behind it. */
  edge: LogPosition | undefined
}

/** However rare the entries that are looked for, nobody waits longer than for these. */
export const lookedAtMost = 10_000

export async function newestFirst<Row>(tx: Tx, search: LogSearch): Promise<LogRows<Row>> {
  const { near, other, after, limit } = search
  const beyond = after === undefined ? [] : [sql<boolean>`(at, seq) < (${after.at}, ${after.seq})`]
  const within = (most: number) => entriesIn(search, all([...near, ...beyond]), most)
  if (other.length === 0) {
    const { rows } = await sql<Row>`select * ${within(limit)} limit ${limit}`.execute(tx.query)
    return { rows, edge: undefined }
  }
  const looked = sql`(select * ${within(lookedAtMost)} limit ${lookedAtMost}) looked`
  const found = sql<Row>`select * from ${looked} where ${all(other)} order by at desc, seq desc limit ${limit}`
  const { rows } = await found.execute(tx.query)
  if (rows.length === limit) return { rows, edge: undefined }
  const last = sql<LogPosition>`select at, seq ${within(lookedAtMost)} limit 1 offset ${lookedAtMost - 1}`
  return { rows, edge: (await last.execute(tx.query)).rows[0] }
}

function entriesIn({ table, places }: LogSearch, conditions: Condition, limit: number): RawBuilder<unknown> {
  const where = places === undefined ? conditions : sql`seq in (${places(conditions, limit)})`
  return sql`from ${sql.table(table)} where ${where} order by at desc, seq desc`
}

function all(conditions: Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`
}

/** One condition for each value that is given. */
export function given<T>(value: T | undefined, condition: (value: T) => Condition): Condition[] {
  return value === undefined ? [] : [condition(value)]
}
