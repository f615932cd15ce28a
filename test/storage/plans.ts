import { CompiledQuery } from 'kysely'
import type { Db } from '../../src/storage/database.ts'
import type { Tables } from '../../src/storage/tables.ts'
import type { Engine } from '../harness/databases.ts'

/** The tables that grow with the estate or with its use. */
const growing: (keyof Tables)[] = [
  'facility',
  'area',
  'autocomplete_list',
  'partner',
  'partner_grant',
  'partner_grant_facility',
  'token',
  'idempotency_key',
  'audit_entry',
  'audit_place',
  'audit_seal',
  'request_log',
  'request_count',
  'refusal_count',
]

/** Returns the plan of a statement in the engine's own words, without running it. */
export async function explain(db: Db, engine: Engine, sql: string, parameters: readonly unknown[]): Promise<string> {
  const explaining = `explain ${engine === 'sqlite' ? 'query plan ' : ''}${sql}`
  const query = CompiledQuery.raw(explaining, [...parameters])
  const { rows } = await db.read((tx) => tx.query.executeQuery<Record<string, unknown>>(query))
  return rows.map((row) => String(row.detail ?? row['QUERY PLAN'])).join('\n')
}

/** Returns the tables that a plan scans as a whole, directly or by an index. Understands the plans of both engines. */
export function scansIn(sql: string, plan: string): string[] {
  const lines = plan.split('\n')
  const scanned = lines.flatMap((line, index) => {
    if (partial.test(line) || isExtreme(lines, index)) return []
    const [, alias] = /^SCAN (\w+)/.exec(line) ?? []
    if (alias !== undefined) return isSubquery(lines, alias) ? [] : [tableCalled(sql, alias)]
    const [, table] = /Seq Scan on (\w+)/.exec(line) ?? []
    if (table !== undefined) return [table]
    const [, indexed] = /Index (?:Only )?Scan (?:Backward )?using \w+ on (\w+)/.exec(line) ?? []
    const bounded = /Index Cond/.test(lines[index + 1] ?? '')
    return indexed === undefined || bounded ? [] : [indexed]
  })
  return scanned.filter((table) => growing.some((name) => name === table))
}

/** A partial index of few rows, all of which are read. */
const partial = /\barea_open\b/

/** PostgreSQL finds a minimum or maximum by reading the first row of an index. */
function isExtreme(lines: string[], index: number): boolean {
  return /-> {2}Limit/.test(lines[index - 1] ?? '') && /InitPlan/.test(lines[index - 2] ?? '')
}

function isSubquery(lines: string[], alias: string): boolean {
  return lines.some((line) => line === `CO-ROUTINE ${alias}` || line === `MATERIALIZE ${alias}`)
}

/** Resolves an alias, as SQLite's plans name a table by its alias in the statement. */
function tableCalled(sql: string, alias: string): string {
  return new RegExp(`\\b(?:from|join) "?(\\w+)"? (?:as )?"?${alias}\\b`, 'i').exec(sql)?.[1] ?? alias
}
