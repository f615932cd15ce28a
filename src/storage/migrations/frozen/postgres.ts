import type { Dialect } from './migration.ts'

export const postgresDialect: Dialect = {
  text: 'text collate "C"',
  integer: 'bigint',
  serial: 'bigint generated always as identity primary key',
  clustered: '',
  // The column `xid` is the id of the transaction that inserted the entry. It shows which entries an earlier snapshot
  // of the database could not see, in whatever order transactions were committed.
  auditTable: [
    `create table audit_entry (
    seq bigint generated always as identity primary key, xid xid8 not null default pg_current_xact_id(),
    at text collate "C" not null, actor_kind text not null, actor text collate "C" not null, token text collate "C",
    request_id text collate "C", address text collate "C", action text collate "C" not null,
    facility text collate "C", partner text collate "C", subject text collate "C", detail text not null)`,
    'create index audit_entry_by_transaction on audit_entry (xid)',
    // Defines a function that SQLite has built in, so that both engines can run statements with the same text.
    `create function json_quote(text) returns text language sql immutable as 'select to_json($1)::text'`,
  ],
  // Makes a transaction get its id before the number of its first audit entry: earlier versions of Atrium on other
  // nodes find the stable offset by waiting for all transactions with lower ids.
  auditOffsets: [
    'alter table audit_entry alter column seq drop identity',
    'create sequence audit_entry_seq_seq owned by audit_entry.seq',
    `select setval('audit_entry_seq_seq', coalesce(max(seq), 0) + 1, false) from audit_entry`,
    `alter table audit_entry alter column seq
    set default case when pg_current_xact_id() is not null then nextval('audit_entry_seq_seq') end`,
  ],
  // Makes a transaction take the shared lock for writers before its first entry gets a number, so that the delivery of
  // events waits only for its holders. A column default takes it, so that earlier versions of Atrium do so as well.
  auditWriterLock: [
    `alter table audit_entry alter column seq set default
    case when pg_current_xact_id() is not null and pg_advisory_xact_lock_shared(hashtextextended('audit_entry writers', 0)) is not null then nextval('audit_entry_seq_seq') end`,
  ],
}
