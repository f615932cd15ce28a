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

/** Sends `begin` with the first statements and `commit` with the last: neither takes a round trip of its own. */
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
    // If a statement sent by `post` failed, the error caught here is only a consequence of that.
    const reason = failed[0] ?? error
    isBroken = connection.isInDoubt || !(await connection.rollback())
    throw reason
  } finally {
    cancelTimeout()
    connection.release(isBroken)
  }
}

type Sending = () => Promise<unknown>

/** The statements sent at once: an unbounded number takes much memory, and Node refuses to write it (`EINVAL`). */
const maxAtOnce = 1000

/** Sends statements in portions. Waits for each but the last, which is sent together with the commit. */
async function sendInPortions(sendings: Sending[], posted: TransactionState['posted']): Promise<void> {
  for (let at = 0; at < sendings.length; at += maxAtOnce) {
    const portion = sendings.slice(at, at + maxAtOnce).map((send) => send())
    if (at + maxAtOnce < sendings.length) await Promise.all(portion)
    else portion.forEach(posted)
  }
}

interface TransactionState {
  /** Registers a statement that nothing awaits. If it fails, the transaction fails at the commit. */
  posted(sent: Promise<unknown>): void
  /** The functions that send the statements of `postLast`. They are called right before the commit. */
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
      // Removes the timeouts: the wait for the lock, and the work under it, such as a migration, may take long.
      cancelTimeout()
      await sql`set local lock_timeout = 0`.execute(query)
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(query)
    },
  }
}

const builders = new WeakMap<Connection, Kysely<Tables>>()

/** The driver does not acquire or release the connection, because `inTransaction` does both. */
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

export const tryLock = statement<Locked>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as ok')

export function isLocked([row]: Locked[]): boolean {
  return row?.ok === true
}
