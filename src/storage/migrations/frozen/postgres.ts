import type { Dialect } from './migration.ts'

export const postgresDialect: Dialect = {
  text: 'text collate "C"',
  integer: 'bigint',
  serial: 'bigint generated always as identity primary key',
  clustered: '',
  // `xid` tells which entries a snapshot could not see yet, whatever the order in which transactions ended.
  auditTable: [
    `create table audit_entry (
    seq bigint generated always as identity primary key, xid xid8 not null default pg_current_xact_id(),
    at text collate "C" not null, actor_kind text not null, actor text collate "C" not null, token text collate "C",
    request_id text collate "C", address text collate "C", action text collate "C" not null,
    facility text collate "C", partner text collate "C", subject text collate "C", detail text not null)`,
    'create index audit_entry_by_transaction on audit_entry (xid)',
    // The embedded engine brings this function, and statements are written once for both.
    `create function json_quote(text) returns text language sql immutable as 'select to_json($1)::text'`,
  ],
  // A transaction has its id before its entries have their numbers. Versions before this one, which may still run beside
  // it, wait for all transactions with lower ids to end before they call a number settled.
  auditOffsets: [
    'alter table audit_entry alter column seq drop identity',
    'create sequence audit_entry_seq_seq owned by audit_entry.seq',
    `select setval('audit_entry_seq_seq', coalesce(max(seq), 0) + 1, false) from audit_entry`,
    `alter table audit_entry alter column seq
    set default case when pg_current_xact_id() is not null then nextval('audit_entry_seq_seq') end`,
  ],
  // A transaction takes the lock before its first entry gets a number. A session that only locks or changes the table
  // does not have it, nor does a transaction that has yet to add its entries: events do not wait for either. Versions
  // before this one add entries by the same default.
  auditWriterLock: [
    `alter table audit_entry alter column seq set default
    case when pg_current_xact_id() is not null and pg_advisory_xact_lock_shared(hashtextextended('audit_entry writers', 0)) is not null then nextval('audit_entry_seq_seq') end`,
  ],
}
