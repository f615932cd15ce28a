import type { Dialect } from './migration.ts'

export const postgresDialect: Dialect = {
  text: 'text collate "C"',
  integer: 'bigint',
  serial: 'bigint generated always as identity primary key',
  clustered: '',
  // `xid` shows which entries an earlier snapshot could not see, in whatever order transactions committed.
  auditTable: [
    `create table audit_entry (
    seq bigint generated always as identity primary key, xid xid8 not null default pg_current_xact_id(),
    at text collate "C" not null, actor_kind text not null, actor text collate "C" not null, token text collate "C",
    request_id text collate "C", address text collate "C", action text collate "C" not null,
    facility text collate "C", partner text collate "C", subject text collate "C", detail text not null)`,
    'create index audit_entry_by_transaction on audit_entry (xid)',
    // SQLite has this function built in. Defined here so that statements have one text for both engines.
    `create function json_quote(text) returns text language sql immutable as 'select to_json($1)::text'`,
  ],
  // Assigns the transaction id before entries get numbers. Earlier versions, which may run beside this one, wait for
  // all transactions with lower ids to end before they regard an offset as stable.
  auditOffsets: [
    'alter table audit_entry alter column seq drop identity',
    'create sequence audit_entry_seq_seq owned by audit_entry.seq',
    `select setval('audit_entry_seq_seq', coalesce(max(seq), 0) + 1, false) from audit_entry`,
    `alter table audit_entry alter column seq
    set default case when pg_current_xact_id() is not null then nextval('audit_entry_seq_seq') end`,
  ],
  // Takes the writers' lock before the first entry gets a number. Events wait only for its holders, and not for sessions
  // that lock or change the table otherwise, nor for transactions that have yet to add entries. Earlier versions take it
  // as well, as they insert with the same column default.
  auditWriterLock: [
    `alter table audit_entry alter column seq set default
    case when pg_current_xact_id() is not null and pg_advisory_xact_lock_shared(hashtextextended('audit_entry writers', 0)) is not null then nextval('audit_entry_seq_seq') end`,
  ],
}
