import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { Engine, EngineOptions, Tx } from '../engine.ts'
import { postgresDialect } from '../migrations/frozen/postgres.ts'
import type { Statement, Value } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { changePoller, stableOffsetTracker } from './audit-log.ts'
import type { Connection } from './connection.ts'
import { inDoubt, isConflict, isUnavailable } from './errors.ts'
import { groupCommit, maxBatches } from './group-commit.ts'
import { inspect } from './inspect.ts'
import { isLocked, type Locked, tryLock } from './locks.ts'
import { PinnedConnection } from './pinned-connection.ts'
import { Pool } from './pool.ts'
import { Primary } from './primary.ts'
import { QueryBatcher } from './query-batcher.ts'
import { transferOf } from './transfer.ts'

const lockTimeoutMs = 5000
const vacuumTimeoutMs = 600_000
/**
 * Removes the remains of deleted rows from the files of the tables with guest data. Skips tables that are locked, for
 * example since another node is vacuuming them.
 */
const vacuum = 'vacuum (skip_locked, truncate off) area, idempotency_key'

const defaultConnections = 22
const beginCommands = { full: ['begin'], relaxed: ['begin', 'set local synchronous_commit to off'] }

export function openPostgres(url: string, options: EngineOptions): Engine {
  const { responseTimeoutMs = Infinity, maxConnections = defaultConnections, onServerChange } = options
  const primary = new Primary(url, onServerChange)
  // Makes the server end a transaction whose node has vanished, so that the row locks of that transaction are released.
  const timeouts = {
    ...(responseTimeoutMs < Infinity && { idle_in_transaction_session_timeout: String(responseTimeoutMs) }),
  }
  const writeTimeouts = { lock_timeout: String(lockTimeoutMs), ...timeouts }
  // The number of connections outside batches. Reads, writes and batches have separate pools, so that writers which
  // wait for row locks cannot take all connections.
  const unbatched = maxConnections - maxBatches
  const readers = new Pool(primary, Math.ceil(unbatched / 2), timeouts)
  const writers = new Pool(primary, Math.floor(unbatched / 2), writeTimeouts)
  const batches = new Pool(primary, maxBatches, writeTimeouts)
  const polling = new PinnedConnection(readers, primary)
  const poll = changePoller()
  const queries = new QueryBatcher(readers, responseTimeoutMs)
  const ask = <Row>(statement: Statement<Row>, ...values: Value[]) => queries.run<Row>(statement, values)
  const timeoutMs = responseTimeoutMs + lockTimeoutMs
  const write: Engine['write'] = (work, durability) =>
    inTransaction(writers, timeoutMs, beginCommands[durability], work)
  return {
    systemName: 'postgresql',
    read: (work) => inTransaction(readers, timeoutMs, ['begin isolation level repeatable read read only'], work),
    write,
    writeInBatch: groupCommit(batches, timeoutMs, (work) =>
      inTransaction(writers, timeoutMs, beginCommands.full, work),
    ),
    ask,
    pollChanges: () => polling.use(responseTimeoutMs, poll),
    stableOffset: stableOffsetTracker(ask, () => primary.generation),
    erase: async () => {
      await writers.use(vacuumTimeoutMs, (connection) => connection.query(vacuum))
      return true
    },
    isConflict,
    isUnavailable,
    inspect: () => readers.use(Infinity, inspect),
    close: async () => {
      primary.close()
      await polling.close()
      await Promise.all([readers, writers, batches].map((pool) => pool.close()))
    },
  }
}

/**
 * Runs work in a transaction. Sends `begin` with the first statements and `commit` with the last, so that neither takes
 * a round trip of its own.
 */
async function inTransaction<T>(
  pool: Pool,
  timeoutMs: number,
  beginCommands: string[],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const connection = await pool.acquire()
  const cancelTimeout = connection.startTimeout(timeoutMs)
  const failed: unknown[] = []
  const posted = (sent: Promise<unknown>) => void sent.catch((error) => failed.push(error))
  let isBroken = true
  try {
    for (const command of beginCommands) posted(connection.command(command))
    const last: (() => void)[] = []
    const result = await work(transaction(connection, { posted, last, cancelTimeout }))
    for (const send of last) send()
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

interface TransactionState {
  /**
   * Registers a statement that the work does not wait for. If the statement fails, the transaction fails at the commit.
   */
  posted(sent: Promise<unknown>): void
  /** Functions that send the statements passed to `postLast`. They are called right before the commit. */
  last: (() => void)[]
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
    postLast: (statement, ...values) => void last.push(() => posted(connection.rows(statement, values))),
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
