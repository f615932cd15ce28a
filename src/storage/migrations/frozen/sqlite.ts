import type { Dialect } from './migration.ts'

export const sqliteDialect: Dialect = {
  text: 'text',
  integer: 'integer',
  serial: 'integer primary key autoincrement',
  clustered: 'without rowid',
  auditTable: [
    `create table audit_entry (
    seq integer primary key, at text not null, actor_kind text not null, actor text not null,
    token text, request_id text, address text, action text not null, facility text, partner text, subject text,
    detail text not null)`,
  ],
  // Needs no SQL: only one transaction writes at a time, so entries are committed in the order of their numbers.
  auditOffsets: [],
  auditWriterLock: [],
}
