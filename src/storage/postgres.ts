import type { Writable } from 'node:stream'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Engine, Tx } from './engine.ts'
import { inspect } from './postgres-inspect.ts'
import { journalOf, journalOrderSchema, journalSchema, settledOf } from './postgres-journal.ts'
import { transferOf } from './postgres-transfer.ts'
import type { Statement, Value } from './statement.ts'
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
  const ask = <Row>(asked: Statement<Row>, ...values: Value[]) => rowsOf<Row>(readers, asked, values)
  return {
    read: (work) => inTransaction(readers, 'begin isolation level repeatable read read only', work),
    write: (work) => inTransaction(writers, 'begin', work),
    ask,
    look: journalOf((asked, ...values) => keptConnection(readers, (client) => rowsOf(client, asked, values))),
    settled: settledOf(ask),
    erase: async () => (await writers.query(removeDeadRows)) !== undefined,
    isConflict: (error) => conflicts.has(codeOf(error)),
    isUnavailable,
    inspect: () => inspect(readers),
    explain: async ({ sql: text, parameters }) => {
      const { rows } = await readers.query(`explain ${text}`, [...parameters])
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    },
    close: async () => {
      await kept.get(readers)?.then(
        (client) => client.release(),
        () => {},
      )
      kept.delete(readers)
      await Promise.all([readers.end(), writers.end()])
    },
  }
}

const lockPatienceMs = 5000
/** Of the tables that hold what guests have. Another node that does the same is not waited for. */
const removeDeadRows = 'vacuum (skip_locked, truncate off) subscription, area, idempotency_key'

function poolFor(url: string, options: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    application_name: 'atrium',
    options,
    keepAlive: true,
    // Statements are sent as they come, without waiting for the answers to those before.
    pipeline: true,
    connectionTimeoutMillis: 5000,
    types: { getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) },
  } as pg.PoolConfig)
  // A connection that breaks leaves the pool, and its query fails; unheard, its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function rowsOf<Row>(
  connection: pg.Pool | pg.PoolClient,
  { name, text }: Pick<Statement, 'name' | 'text'>,
  values: Value[],
): Promise<Row[]> {
  const { rows } = await connection.query({ name, text, values })
  return rows
}

/** The beginning travels with the first statements, the end with the last ones. */
async function inTransaction<T>(pool: pg.Pool, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const send = together(client)
  const failed: unknown[] = []
  const posted = (sent: Promise<unknown>) => void sent.catch((error) => failed.push(error))
  let broken = true
  try {
    posted(send(begin))
    const result = await work(transaction(client, send, posted))
    const { command } = await send('commit')
    if (failed.length > 0 || command !== 'COMMIT') throw failed[0] ?? new Error('The transaction was rolled back')
    broken = false
    return result
  } catch (error) {
    await client.query('rollback').then(
      () => (broken = false),
      () => {},
    )
    throw failed[0] ?? error
  } finally {
    client.release(broken)
  }
}

function transaction(client: pg.PoolClient, send: Send, posted: (sent: Promise<unknown>) => void): Tx {
  const query = queryBuilder(client)
  const rowsOfTx = async ({ name, text }: Pick<Statement, 'name' | 'text'>, values: Value[]) =>
    (await send({ name, text, values })).rows
  return {
    query,
    rows: (asked, ...values) => rowsOfTx(asked, values),
    lockedRows: ({ name, text }, ...values) => {
      return rowsOfTx({ name: `${name}_lock`, text: `${text} for update` }, values)
    },
    post: (asked, ...values) => posted(rowsOfTx(asked, values)),
    alone: false,
    columns: {
      text: 'text collate "C"',
      integer: 'bigint',
      serial: 'bigint generated always as identity primary key',
    },
    clustered: '',
    journalSchema,
    journalOrderSchema,
    get transfer() {
      return transferOf(query)
    },
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

type Send = (query: string | pg.QueryConfig) => Promise<pg.QueryResult>

/** What is sent in one go of the event loop's queues leaves in one write. */
function together(client: pg.PoolClient): Send {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  let isHeld = false
  return (query) => {
    if (!isHeld) {
      isHeld = true
      stream.cork()
      process.nextTick(() => {
        isHeld = false
        stream.uncork()
      })
    }
    return client.query(query)
  }
}

/** One connection of a pool, kept for questions that are asked all the time; another when it breaks. */
const kept = new WeakMap<pg.Pool, Promise<pg.PoolClient>>()

async function keptConnection<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const known = kept.get(pool)
  const connecting = known ?? pool.connect()
  const forget = async () => {
    if (kept.get(pool) !== connecting) return
    kept.delete(pool)
    await connecting.then(
      (client) => client.release(true),
      () => {},
    )
  }
  if (known === undefined) {
    kept.set(pool, connecting)
    void connecting.then((client) => client.once('end', forget), forget)
  }
  try {
    return await use(await connecting)
  } catch (error) {
    await forget()
    throw error
  }
}

const builders = new WeakMap<pg.PoolClient, Kysely<Tables>>()

/** Kysely on one connection that somebody else has taken from the pool. */
function queryBuilder(client: pg.PoolClient): Kysely<Tables> {
  let known = builders.get(client)
  if (known === undefined) {
    const borrowed = { query: client.query.bind(client), release: () => {} }
    const pool = { connect: async () => borrowed, end: async () => {} }
    known = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) })
    builders.set(client, known)
  }
  return known
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
