import { sql } from 'kysely'
import type { StoredEntry } from '../../domain/audit/audit-seal.ts'
import type { LogPosition } from '../../domain/log-cursor.ts'
import { indexedUpTo } from '../audit/facility-index.ts'
import type { Tx } from '../engine.ts'
import { statement } from '../statement.ts'
import { given, type LogRows, type LogSearch, newestFirst } from './newest-first.ts'

export type AuditRow = StoredEntry

export interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  facility?: string | undefined
  partner?: string | undefined
  subject?: string | undefined
  since?: string | undefined
  until?: string | undefined
  /** Whether to return only entries whose actor is an operator. There is an index of these entries. */
  byOperators?: boolean
}

export function pageOfAudit(
  tx: Tx,
  filter: AuditFilter,
  after: LogPosition | undefined,
  limit: number,
): Promise<LogRows<AuditRow>> {
  return newestFirst<AuditRow>(tx, {
    table: 'audit_entry',
    seqs: filter.facility === undefined ? undefined : seqsOf(filter.facility),
    indexed: [
      // Uses a literal and no parameter: the planner uses the partial index only if the SQL contains its condition.
      ...(filter.byOperators && filter.facility === undefined ? [sql<boolean>`actor_kind = 'operator'`] : []),
      ...given(filter.since, (since) => sql`at >= ${since}`),
      ...given(filter.until, (until) => sql`at < ${until}`),
    ],
    scanned: [
      ...given(filter.actor, (actor) => sql`actor = ${actor}`),
      ...given(filter.action, (action) => sql`action = ${action}`),
      ...given(filter.partner, (partner) => sql`partner = ${partner}`),
      ...given(filter.subject, (subject) => sql`subject = ${subject}`),
    ],
    after,
    limit,
  })
}

/** Searches the index by facility, and the log itself for the newest entries, which the index does not contain yet. */
function seqsOf(facility: string): LogSearch['seqs'] {
  return (conditions, limit) => sql`
    select seq from (
      select seq from audit_place where facility = ${facility} and ${conditions}
      order by at desc, seq desc limit ${limit}) placed
    union all
    select seq from audit_entry where seq > ${sql.raw(indexedUpTo)} and facility = ${facility} and ${conditions}`
}

const one = statement<AuditRow>(`
  select seq, at, actor_kind, actor, token, request_id, address, action, facility, partner, subject, detail
  from audit_entry where seq = $1`)

export async function findAuditEntry(tx: Tx, seq: number): Promise<AuditRow | undefined> {
  const [entry] = await tx.rows(one, seq)
  return entry
}
