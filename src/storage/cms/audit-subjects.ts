import { sql } from 'kysely'
import type { Tx } from '../engine.ts'
import type { AuditRow } from './audit.ts'

/** The table and column with the name of an entry's subject, by the first word of the entry's action. */
const tables = {
  key: { table: 'operator_key', name: 'name' },
  operator: { table: 'operator', name: 'email' },
  token: { table: 'token', name: 'name' },
  webhook: { table: 'webhook', name: 'url' },
} as const

type Kind = keyof typeof tables

const kindOf = ({ action }: Pick<AuditRow, 'action'>) => action.slice(0, action.indexOf('.'))

/**
 * Returns a function that returns the name of an entry's subject as it is now: the name of a token or key, the e-mail
 * address of an operator, the URL of a webhook. Null for other subjects, and for those that no longer exist.
 */
export async function subjectNames(tx: Tx, entries: AuditRow[]): Promise<(entry: AuditRow) => string | null> {
  const names = new Map<string, string>()
  for (const kind of Object.keys(tables) as Kind[]) {
    const ids = new Set(entries.flatMap((entry) => (kindOf(entry) === kind ? (entry.subject ?? []) : [])))
    for (const { id, name } of await namesIn(tx, kind, [...ids])) names.set(`${kind} ${id}`, name)
  }
  return (entry) => names.get(`${kindOf(entry)} ${entry.subject}`) ?? null
}

async function namesIn(tx: Tx, kind: Kind, ids: string[]): Promise<{ id: string; name: string }[]> {
  if (ids.length === 0) return []
  const { table, name } = tables[kind]
  const query = sql<{ id: string; name: string }>`
    select id, ${sql.ref(name)} as name from ${sql.table(table)} where id in (${sql.join(ids)})`
  return (await query.execute(tx.query)).rows
}
