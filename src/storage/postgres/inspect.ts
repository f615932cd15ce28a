import type { Finding } from '../engine.ts'
import type { Connection } from './connection.ts'

/** Checks, for `atrium doctor`, the server settings on which durability and the sort order of texts depend. */
export async function inspect(connection: Connection): Promise<Finding[]> {
  const { rows } = await connection.query(`select current_setting('server_version_num')::int as version,
    current_setting('server_version') as version_text, current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as synchronous_commit, current_setting('full_page_writes') as full_page_writes,
    current_setting('server_encoding') as encoding, current_database() as name,
    pg_database_size(current_database()) as bytes, extract(epoch from clock_timestamp()) * 1000 as now_ms`)
  const [row] = rows
  const skewMs = Math.round(Math.abs(Date.now() - Number(row.now_ms)))
  const expect = (name: string, accepted: string[], advice: string): Finding => {
    return { check: `PostgreSQL ${name}`, ok: accepted.includes(row[name]), detail: row[name], advice }
  }
  return [
    { check: 'database', ok: true, detail: `PostgreSQL ${row.version_text}, ${row.name}, ${row.bytes} bytes` },
    {
      check: 'PostgreSQL version',
      ok: row.version >= 150_000,
      detail: row.version_text,
      advice: 'Atrium needs PostgreSQL 15 or newer.',
    },
    expect('fsync', ['on'], 'Set fsync = on: acknowledged writes are lost when power fails.'),
    expect(
      'synchronous_commit',
      ['on', 'remote_apply', 'remote_write'],
      'Set synchronous_commit = on: acknowledged writes can be lost.',
    ),
    expect('full_page_writes', ['on'], 'Set full_page_writes = on: pages can be torn when power fails.'),
    expect('encoding', ['UTF8'], 'Create the database with ENCODING UTF8.'),
    {
      check: 'clock against the database',
      ok: skewMs < 2000,
      detail: `${skewMs} ms apart`,
      advice: 'Run a time service (chrony, systemd-timesyncd) on both machines.',
    },
  ]
}
