import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from '../engine.ts'
import { postgresDialect } from '../migrations/frozen/postgres.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables.ts'
import type { Connection } from './connection.ts'
import { inDoubt } from './errors.ts'
import type { Pool } from './pool.ts'
import { transferOf } from './transfer.ts'

/**
 * Runs work in a transaction. Sends `begin` with the first statements and `commit` with the last, so that neither takes
 * a round trip of its own. Calls `prepare` with the connection before `begin`.
 */
export async function inTransaction<T>(
  pool: Pool,
  timeoutMs: number,
  beginCommands: string[],
  work: (tx: Tx) => Promise<T>,
  prepare?: (connection: Connection) => Promise<void>,
): Promise<T> {
  const connection = await pool.acquire()
  const cancelTimeout = connection.startTimeout(timeoutMs)
  const failed: unknown[] = []
  const posted = (sent: Promise<unknown>) => void sent.catch((error) => failed.push(error))
  let isBroken = true
  try {
    if (prepare !== undefined) await prepare(connection)
    for (const command of beginCommands) posted(connection.command(command))
    const last: Sending[] = []
    const result = await work(transaction(connection, { posted, last, cancelTimeout }))
    await sendInPortions(last, posted)
    const command = await connection.command('commit')
    if (failed.length > 0 || command !== 'COMMIT') throw failed[0] ?? new Error('The transaction was rolled back')
    if (connection.isInDoubt) throw inDoubt()
    isBroken = false
    return result
  } catch (error) {
    // If a statement sent by `post` failed, throws the error of that statement: the error caught here is only a
    // consequence of it.
    const reason = failed[0] ?? error
    isBroken = connection.isInDoubt || !(await connection.rollback())
    throw reason
  } finally {
    cancelTimeout()
    connection.release(isBroken)
  }
}

type Sending = () => Promise<unknown>

/**
 * The maximum number of statements that are sent at once. An unbounded number, such as the audit entries of a large
 * `apply`, would take much memory, and Node refuses to write them (`EINVAL`).
 */
const maxAtOnce = 1000

/** Sends statements in portions. Waits for each portion but the last, which is sent together with the commit. */
async function sendInPortions(sendings: Sending[], posted: TransactionState['posted']): Promise<void> {
  for (let at = 0; at < sendings.length; at += maxAtOnce) {
    const portion = sendings.slice(at, at + maxAtOnce).map((send) => send())
    if (at + maxAtOnce < sendings.length) await Promise.all(portion)
    else portion.forEach(posted)
  }
}

interface TransactionState {
  /**
   * Registers a statement that the work does not wait for. If the statement fails, the transaction fails at the commit.
   */
  posted(sent: Promise<unknown>): void
  /** Functions that send the statements passed to `postLast`. They are called right before the commit. */
  last: Sending[]
  cancelTimeout(): void
}

function transaction(connection: Connection, { posted, last, cancelTimeout }: TransactionState): Tx {
  const query = queryBuilder(connection)
  return {
    query,
    rows: (statement, ...values) => connection.rows(statement, values),
    lockedRows: ({ name, text }, ...values) => {
      return connection.rows({ name: `${name}_lock`, text: `${text} for update` }, values)
    },
    post: (statement, ...values) => posted(connection.rows(statement, values)),
    postLast: (statement, ...values) => void last.push(() => connection.rows(statement, values)),
    isExclusive: false,
    dialect: postgresDialect,
    get transfer() {
      return transferOf(query)
    },
    lockRow: (select) => select.forUpdate() as typeof select,
    tryLock: async (name) => isLocked(await connection.rows<Locked>(tryLock, [name])),
    lock: async (name) => {
      // Removes the timeouts: this transaction may wait long for the named lock, and take long while it holds the lock,
      // such as a migration.
      cancelTimeout()
      await sql`set local lock_timeout = 0`.execute(query)
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(query)
    },
  }
}

const builders = new WeakMap<Connection, Kysely<Tables>>()

/**
 * Returns a query builder that runs on this connection only. Its driver does not acquire or release the connection,
 * because `inTransaction` does both.
 */
function queryBuilder(connection: Connection): Kysely<Tables> {
  let builder = builders.get(connection)
  if (builder === undefined) {
    const client = { query: connection.query.bind(connection), release: () => {} }
    const pool = { connect: async () => client, end: async () => {} }
    builder = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) })
    builders.set(connection, builder)
  }
  return builder
}

export interface Locked {
  ok: boolean
}

/** Tries to take the advisory lock of a name, without waiting. The lock is released when the transaction ends. */
export const tryLock = statement<Locked>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as ok')

export function isLocked([row]: Locked[]): boolean {
  return row?.ok === true
}
