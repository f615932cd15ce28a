import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Engine, Finding, Tx } from './engine.ts'
import type { Tables } from './tables.ts'

const int8 = 20
/** Another transaction was in the way (serialisation, deadlock, a row that went away): the next try sees it. */
const conflicts = new Set(['40001', '40P01', '23503'])
/** Broken connections, lack of resources, shutdown, I/O errors, a lock or statement that took too long, a standby. */
const unavailable = /^(08(?!P01)|53|57P|58|55P03|57014|25006)/
const unavailableSystem = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

export function openPostgres(url: string): Engine {
  // Writers can wait for one another's rows; readers, who never do, have connections of their own.
  const readers = poolFor(url, '')
  const writers = poolFor(url, `-c lock_timeout=${lockPatienceMs}`)
  const reading = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: readers }) })
  const writing = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: writers }) })
  const snapshot = () => reading.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return {
    read: (work) => snapshot().execute((query) => work(transaction(query))),
    write: (work) => writing.transaction().execute((query) => work(transaction(query))),
    isConflict: (error) => conflicts.has(codeOf(error)),
    isUnavailable,
    inspect: () => inspect(readers),
    explain: async ({ sql: text, parameters }) => {
      const { rows } = await readers.query(`explain ${text}`, [...parameters])
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    },
    close: async () => {
      await Promise.all([reading.destroy(), writing.destroy()])
    },
  }
}

const lockPatienceMs = 5000

function poolFor(url: string, options: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    application_name: 'atrium',
    options,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    types: { getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) },
  })
  // A connection that breaks leaves the pool, and its query fails; unheard, its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function transaction(query: Kysely<Tables>): Tx {
  return {
    query,
    columns: { text: 'text collate "C"', integer: 'bigint' },
    lockRow: (select) => select.forUpdate() as typeof select,
    tryLock: async (name) => {
      const locked = sql<{ ok: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as ok`
      return (await locked.execute(query)).rows[0]?.ok === true
    },
    lock: async (name) => {
      // Whoever asks for a lock by name has come to wait.
      await sql`set local lock_timeout = 0`.execute(query)
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(query)
    },
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}

function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (unavailableSystem.has(code) || (code.length === 5 && unavailable.test(code))) return true
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      error.message,
    )
  )
}

async function inspect(pool: pg.Pool): Promise<Finding[]> {
  const { rows } = await pool.query(`select current_setting('server_version_num')::int as version,
    current_setting('server_version') as version_text, current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as synchronous_commit, current_setting('full_page_writes') as full_page_writes,
    current_setting('server_encoding') as encoding, current_database() as name,
    pg_database_size(current_database()) as bytes, extract(epoch from clock_timestamp()) * 1000 as now_ms`)
  const [row] = rows
  const skewMs = Math.round(Math.abs(Date.now() - Number(row.now_ms)))
  const expect = (name: string, wanted: string[], advice: string): Finding => {
    return { check: `PostgreSQL ${name}`, ok: wanted.includes(row[name]), detail: row[name], advice }
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
