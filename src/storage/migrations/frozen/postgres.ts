import type { Dialect } from './migration.ts'

export const postgresDialect: Dialect = {
  text: 'text collate "C"',
  integer: 'bigint',
  serial: 'bigint generated always as identity primary key',
  clustered: '',
  // The column `xid` is the id of the inserting transaction. It shows which entries an earlier snapshot could not see,
  // in whatever order transactions committed.
  auditTable: [
    `create table audit_entry (
    seq bigint generated always as identity primary key, xid xid8 not null default pg_current_xact_id(),
    at text collate "C" not null, actor_kind text not null, actor text collate "C" not null, token text collate "C",
    request_id text collate "C", address text collate "C", action text collate "C" not null,
    facility text collate "C", partner text collate "C", subject text collate "C", detail text not null)`,
    'create index audit_entry_by_transaction on audit_entry (xid)',
    // Defines a function that SQLite has built in, so that both engines use the same text of statements.
    `create function json_quote(text) returns text language sql immutable as 'select to_json($1)::text'`,
  ],
  // Assigns the transaction id before the first entry number. Earlier versions of Atrium on other nodes determine the
  // stable offset, below which no open transaction can add entries, by waiting for all transactions with lower ids.
  auditOffsets: [
    'alter table audit_entry alter column seq drop identity',
    'create sequence audit_entry_seq_seq owned by audit_entry.seq',
    `select setval('audit_entry_seq_seq', coalesce(max(seq), 0) + 1, false) from audit_entry`,
    `alter table audit_entry alter column seq
    set default case when pg_current_xact_id() is not null then nextval('audit_entry_seq_seq') end`,
  ],
  // Takes the writers' lock before the first entry number. Events then wait only for transactions that hold it: not for
  // other locks on the table, and not for transactions without entries. Earlier versions of Atrium on other nodes take
  // the lock as well, since it is part of the column default.
  auditWriterLock: [
    `alter table audit_entry alter column seq set default
    case when pg_current_xact_id() is not null and pg_advisory_xact_lock_shared(hashtextextended('audit_entry writers', 0)) is not null then nextval('audit_entry_seq_seq') end`,
  ],
}
