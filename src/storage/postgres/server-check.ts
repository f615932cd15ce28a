import { statement } from '../statement.ts'
import type { Connection } from './connection.ts'
import { isUnavailable } from './errors.ts'

/** A server with which Atrium cannot work correctly: a setting must be changed or the server replaced. */
export class UnsupportedServer extends Error {}

const minVersion = 150_000
/** Matches, in the result of `version()`, the names of other engines that use PostgreSQL's protocol. */
const otherEngines =
  /CockroachDB|-YB-|Yugabyte|Redshift|Greenplum|Materialize|QuestDB|CrateDB|openGauss|GaussDB|POLARDB|DSQL|Spanner/i

const version = statement<{ version: string }>('select version() as version')
/**
 * Uses the functions and views that the audit log depends on, so that the query fails on a server that lacks them.
 * `has_locks`: `pg_locks` must list at least the locks of this connection.
 */
const features = statement<{ version_number: number; has_locks: boolean }>(`
  select current_setting('server_version_num')::int as version_number,
    exists (select from pg_locks where pid = pg_backend_pid()) as has_locks,
    pg_snapshot_xmax(pg_current_snapshot()) as snapshot, pg_try_advisory_xact_lock_shared(0) as advisory`)

/** Refuses old versions, and other engines with PostgreSQL's protocol, on which events would be lost silently. */
export async function assertPostgres(name: string, connection: Connection): Promise<void> {
  const [[row], found] = await Promise.all([connection.rows<{ version: string }>(version, []), featuresOf(connection)])
  const text = row?.version ?? 'nothing'
  const is = `${name} in ATRIUM_DATABASE is ${text.slice(0, 100)}`
  if (!text.startsWith('PostgreSQL') || otherEngines.test(text)) {
    throw new UnsupportedServer(`${is}, which is not PostgreSQL itself: Atrium needs PostgreSQL 15 or newer`)
  }
  if (found instanceof Error) {
    throw new UnsupportedServer(
      `${is}, but lacks what PostgreSQL has (${found.message}): Atrium needs PostgreSQL 15 or newer`,
    )
  }
  if (found.version_number < minVersion) throw new UnsupportedServer(`${is}: Atrium needs PostgreSQL 15 or newer`)
  if (!found.has_locks) {
    throw new UnsupportedServer(
      `${is}, but its pg_locks is empty, which PostgreSQL's never is: Atrium needs PostgreSQL itself`,
    )
  }
}

/** Returns the error of the query if the server lacks a required feature. */
async function featuresOf(connection: Connection): Promise<{ version_number: number; has_locks: boolean } | Error> {
  try {
    const [row] = await connection.rows<{ version_number: number; has_locks: boolean }>(features, [])
    return row ?? new Error('no row in the response')
  } catch (error) {
    if (isUnavailable(error)) throw error
    return error as Error
  }
}

const backend = statement<{ pid: number }>('select pg_backend_pid() as pid')
/** How often to test for a pooler that switches server processes: it can return to the same one by chance. */
const rounds = 3

type WithConnection = <T>(work: (other: Connection) => Promise<T>) => Promise<T>

/**
 * Throws for a connection pooler in transaction mode, which runs each transaction on any server process: settings and
 * prepared statements would be those of other connections, and a failover would go unnoticed.
 * 1. If the server process has the id that was reported at connect, there is no pooler.
 * 2. Otherwise, opens a transaction on a second connection, `rounds` times. Throws if that connection gets the process
 * of the first one, or if the first one now gets another process than in step 1.
 */
export async function assertSession(name: string, connection: Connection, withOther: WithConnection): Promise<void> {
  const own = await backendOf(connection)
  if (own === connection.processID) return
  const isKept = await withOther((other) => keepsBackend(connection, own, other))
  if (isKept) return
  throw new UnsupportedServer(
    `${name} in ATRIUM_DATABASE is a connection pooler that changes servers between transactions, which Atrium cannot work with: set its pool mode to session (PgBouncer: pool_mode = session), or name PostgreSQL itself`,
  )
}

async function keepsBackend(connection: Connection, own: number | undefined, other: Connection): Promise<boolean> {
  for (let round = 0; round < rounds; round++) {
    await other.command('begin')
    if ((await backendOf(other)) === own) return false
    if ((await backendOf(connection)) !== own) return false
    await other.command('commit')
  }
  return true
}

async function backendOf(connection: Connection): Promise<number | undefined> {
  const [row] = await connection.rows<{ pid: number }>(backend, [])
  return row?.pid
}
