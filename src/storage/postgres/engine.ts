import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { Engine, EngineOptions, Tx } from '../engine.ts'
import { postgresDialect } from '../migrations/frozen/postgres.ts'
import type { Statement, Value } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { journal, trackStableOffset } from './audit-log.ts'
import type { Connection } from './connection.ts'
import { inDoubt, isConflict, isUnavailable } from './errors.ts'
import { groupCommit, maxBatches } from './group-commit.ts'
import { inspect } from './inspect.ts'
import { Kept } from './kept.ts'
import { isLocked, type Locked, tryLock } from './locks.ts'
import { Pool } from './pool.ts'
import { Primary } from './primary.ts'
import { Questions } from './questions.ts'
import { transferOf } from './transfer.ts'

const lockPatienceMs = 5000
const eraseWithinMs = 600_000
/** Of the tables that hold what guests have. Another node that does the same is not waited for. */
const removeDeadRows = 'vacuum (skip_locked, truncate off) area, idempotency_key'

const defaultConnections = 22
const beginnings = { full: ['begin'], relaxed: ['begin', 'set local synchronous_commit to off'] }

export function openPostgres(url: string, options: EngineOptions): Engine {
  const { responseTimeoutMs = Infinity, maxConnections = defaultConnections, onServerChange } = options
  const primary = new Primary(url, onServerChange)
  // A node that vanishes in the middle of a transaction must not keep its rows from all others.
  const idle = {
    ...(responseTimeoutMs < Infinity && { idle_in_transaction_session_timeout: String(responseTimeoutMs) }),
  }
  const patient = { lock_timeout: String(lockPatienceMs), ...idle }
  // Writers can wait for one another's rows; those who never do have connections of their own.
  const apart = maxConnections - maxBatches
  const readers = new Pool(primary, Math.ceil(apart / 2), idle)
  const writers = new Pool(primary, Math.floor(apart / 2), patient)
  const batching = new Pool(primary, maxBatches, patient)
  const kept = new Kept(readers, primary)
  const look = journal()
  const questions = new Questions(readers, responseTimeoutMs)
  const ask = <Row>(asked: Statement<Row>, ...values: Value[]) => questions.ask<Row>(asked, values)
  const withinMs = responseTimeoutMs + lockPatienceMs
  const write: Engine['write'] = (work, durability) => inTransaction(writers, withinMs, beginnings[durability], work)
  return {
    systemName: 'postgresql',
    read: (work) => inTransaction(readers, withinMs, ['begin isolation level repeatable read read only'], work),
    write,
    writeInBatch: groupCommit(batching, withinMs, (work) => inTransaction(writers, withinMs, beginnings.full, work)),
    ask,
    pollChanges: () => kept.use(responseTimeoutMs, look),
    stableOffset: trackStableOffset(ask, () => primary.era),
    erase: async () => {
      await writers.use(eraseWithinMs, (connection) => connection.query(removeDeadRows))
      return true
    },
    isConflict,
    isUnavailable,
    inspect: () => readers.use(Infinity, inspect),
    close: async () => {
      primary.close()
      await kept.close()
      await Promise.all([readers, writers, batching].map((pool) => pool.close()))
    },
  }
}

/** The beginning travels with the first statements, the end with the last ones. */
async function inTransaction<T>(
  pool: Pool,
  withinMs: number,
  beginning: string[],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const connection = await pool.take()
  const lift = connection.limit(withinMs)
  const failed: unknown[] = []
  const posted = (sent: Promise<unknown>) => void sent.catch((error) => failed.push(error))
  let broken = true
  try {
    for (const command of beginning) posted(connection.command(command))
    const last: (() => void)[] = []
    const result = await work(transaction(connection, { posted, last, lift }))
    for (const send of last) send()
    const command = await connection.command('commit')
    if (failed.length > 0 || command !== 'COMMIT') throw failed[0] ?? new Error('The transaction was rolled back')
    if (connection.isInDoubt) throw inDoubt()
    broken = false
    return result
  } catch (error) {
    const reason = failed[0] ?? error
    broken = connection.isInDoubt || !(await connection.isRolledBack())
    throw reason
  } finally {
    lift()
    connection.release(broken)
  }
}

interface Course {
  posted(sent: Promise<unknown>): void
  /** What is sent when all else is done. */
  last: (() => void)[]
  /** Lets it take all the time it needs. */
  lift(): void
}

function transaction(connection: Connection, { posted, last, lift }: Course): Tx {
  const query = queryBuilder(connection)
  return {
    query,
    rows: (asked, ...values) => connection.rows(asked, values),
    lockedRows: ({ name, text }, ...values) => {
      return connection.rows({ name: `${name}_lock`, text: `${text} for update` }, values)
    },
    post: (asked, ...values) => posted(connection.rows(asked, values)),
    postLast: (asked, ...values) => void last.push(() => posted(connection.rows(asked, values))),
    isExclusive: false,
    dialect: postgresDialect,
    get transfer() {
      return transferOf(query)
    },
    lockRow: (select) => select.forUpdate() as typeof select,
    tryLock: async (name) => isLocked(await connection.rows<Locked>(tryLock, [name])),
    lock: async (name) => {
      // Whoever asks for a lock by name has come to wait.
      lift()
      await sql`set local lock_timeout = 0`.execute(query)
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(query)
    },
  }
}

const builders = new WeakMap<Connection, Kysely<Tables>>()

/** Kysely on one connection that somebody else has taken from the pool. */
function queryBuilder(connection: Connection): Kysely<Tables> {
  let known = builders.get(connection)
  if (known === undefined) {
    const borrowed = { query: connection.query.bind(connection), release: () => {} }
    const pool = { connect: async () => borrowed, end: async () => {} }
    known = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) })
    builders.set(connection, known)
  }
  return known
}
