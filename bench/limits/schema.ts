/** Creates the audit log for a database of a version that has none. */
export const auditTable = {
  sqlite: `create table if not exists audit_entry (
    seq integer primary key, at text not null, actor_kind text not null, actor text not null, token text,
    request_id text, address text, action text not null, facility text, partner text, subject text,
    detail text not null)`,
  postgres: `create table if not exists audit_entry (
    seq bigint generated always as identity primary key, at text not null, actor_kind text not null,
    actor text not null, token text, request_id text, address text, action text not null, facility text, partner text,
    subject text, detail text not null)`,
}

export const auditColumns = `at, actor_kind, actor, token, request_id, address, action, facility, partner, subject, detail`
export const auditValues = `'2026-11-15T08:30:00.000Z', 'partner', 'partner-00001', 'Ab3dEf9h',
  '0192f0c1-2d3e-7abc-8def-0123456789ab', '127.0.0.1', 'room.change', 'site-000001', null, 'site-000001-101',
  '[{"id":"0192f0c1-2d3e-7abc-8def-0123456789ab","code":"wifi-premium"}]'`
