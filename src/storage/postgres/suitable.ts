import { statement } from '../statement.ts'
import type { Connection } from './connection.ts'
import { isUnavailable } from './errors.ts'

/** No server on which Atrium would be right. Nothing but a change of settings helps. */
export class Unsuitable extends Error {}

const oldest = 150_000
/** Engines that speak PostgreSQL's protocol, as they name themselves in `version()`. */
const others =
  /CockroachDB|-YB-|Yugabyte|Redshift|Greenplum|Materialize|QuestDB|CrateDB|openGauss|GaussDB|POLARDB|DSQL|Spanner/i

const version = statement<{ version: string }>('select version() as version')
/** What the audit log lives on: snapshots, ids of transactions, and a list of locks that shows at least one's own. */
const features = statement<{ version_number: number; has_locks: boolean }>(`
  select current_setting('server_version_num')::int as version_number,
    exists (select from pg_locks where pid = pg_backend_pid()) as has_locks,
    pg_snapshot_xmax(pg_current_snapshot()) as snapshot, pg_try_advisory_xact_lock_shared(0) as advisory`)

/** Refuses older versions, and engines that only speak PostgreSQL's protocol: they would lose events without an error. */
export async function assertPostgres(name: string, connection: Connection): Promise<void> {
  const asked = Promise.all([connection.rows<{ version: string }>(version, []), featuresOf(connection)])
  const [[said], found] = await asked
  const text = said?.version ?? 'nothing'
  const is = `${name} in ATRIUM_DATABASE is ${text.slice(0, 100)}`
  if (!text.startsWith('PostgreSQL') || others.test(text)) {
    throw new Unsuitable(`${is}, which is not PostgreSQL itself: Atrium needs PostgreSQL 15 or newer`)
  }
  if (found instanceof Error) {
    throw new Unsuitable(`${is}, but lacks what PostgreSQL has (${found.message}): Atrium needs PostgreSQL 15 or newer`)
  }
  if (found.version_number < oldest) throw new Unsuitable(`${is}: Atrium needs PostgreSQL 15 or newer`)
  if (!found.has_locks) {
    throw new Unsuitable(
      `${is}, but its pg_locks is empty, which PostgreSQL's never is: Atrium needs PostgreSQL itself`,
    )
  }
}

/** What the server does not know is an answer too. */
async function featuresOf(connection: Connection): Promise<{ version_number: number; has_locks: boolean } | Error> {
  try {
    const [row] = await connection.rows<{ version_number: number; has_locks: boolean }>(features, [])
    return row ?? new Error('no answer')
  } catch (error) {
    if (isUnavailable(error)) throw error
    return error as Error
  }
}

const backend = statement<{ pid: number }>('select pg_backend_pid() as pid')
/** A pooler that hands out its servers in turn may give the same one twice. */
const rounds = 3

type BesideIt = <T>(work: (other: Connection) => Promise<T>) => Promise<T>

/**
 * Refuses a pooler that gives a session another server process for each transaction: settings and prepared statements
 * would be those of others, and a failover would not be noticed. A server alone answers with the process that it named
 * when the connection was made; a second one is made only behind a pooler, to see whether both get the same process.
 */
export async function assertSession(name: string, connection: Connection, beside: BesideIt): Promise<void> {
  const own = await backendOf(connection)
  if (own === connection.processID) return
  const isKept = await beside((other) => keepsBackend(connection, own, other))
  if (isKept) return
  throw new Unsuitable(
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
