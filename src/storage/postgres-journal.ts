import { changesAtMost, type Engine } from './engine.ts'
import { statement } from './statement.ts'

/** `xid` tells which entries a snapshot could not see yet, whatever the order in which transactions ended. */
export const journalSchema = [
  `create table audit_entry (
    seq bigint generated always as identity primary key, xid xid8 not null default pg_current_xact_id(),
    at text collate "C" not null, actor_kind text not null, actor text collate "C" not null, token text collate "C",
    request_id text collate "C", address text collate "C", action text collate "C" not null,
    facility text collate "C", partner text collate "C", subject text collate "C", detail text not null)`,
  'create index audit_entry_by_transaction on audit_entry (xid)',
  // The embedded engine brings this one, and statements are written once for both.
  `create function json_quote(text) returns text language sql immutable as 'select to_json($1)::text'`,
]

const entries = 'select action, facility, partner from audit_entry'
/** What this snapshot sees and the last one did not: what began after it, and what was under way at its time. */
const lookSince = statement<{ mark: string; changes: [string, string | null, string | null][] }>(`
  select pg_current_snapshot()::text as mark, (
    select coalesce(json_agg(json_build_array(action, facility, partner)), '[]') from (
      select * from (${entries} where xid >= pg_snapshot_xmax($1::pg_snapshot) limit ${changesAtMost + 1}) later
      union all
      ${entries} where xid = any (array(select pg_snapshot_xip($1::pg_snapshot)))) entry) as changes`)
const lookFirst = statement<{ mark: string }>('select pg_current_snapshot()::text as mark')

export function journalOf(ask: Engine['ask']): Engine['look'] {
  let mark: string | undefined
  return async () => {
    const since = mark
    // A connection that broke may have led to a server that has forgotten some commits.
    mark = undefined
    if (since === undefined) {
      mark = (await ask(lookFirst))[0]?.mark
      return 'everything'
    }
    const [row] = await ask(lookSince, since)
    mark = row?.mark
    if (row === undefined || row.changes.length > changesAtMost) return 'everything'
    return row.changes.map(([action, facility, partner]) => ({ action, facility, partner }))
  }
}
