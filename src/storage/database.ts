import { Refusal } from '../domain/refusal.ts'
import { AuditFeed } from './audit/audit-feed.ts'
import { EstateCache } from './cached/estate-cache.ts'
import type { BatchTx, Durability, Engine, EngineOptions, Tx } from './engine.ts'
import { Outage, type OutageReport } from './outage.ts'
import { openPostgres } from './postgres/engine.ts'
import { openSqlite, sqliteFile } from './sqlite/engine.ts'

export type Work = 'read' | 'write'

/** Receives the duration of each statement that runs outside a transaction. */
type QueryTimer = (seconds: number) => void

export interface DatabaseOptions extends EngineOptions {
  onTransaction?: (kind: Work, seconds: number) => void
  onQuery?: QueryTimer | undefined
  /** Throws to refuse work under overload. `pending` is how many of this kind are running or waiting. */
  admit?: (work: Work | 'query', pending: number) => void
  cacheBytes?: number
  outage?: OutageReport
}

export interface Write {
  <T>(work: (tx: Tx) => Promise<T>, options?: { durability: Durability }): Promise<T>
  /**
   * Runs work in a group commit. Its first statement must lock a row, and it must lock no other row. It may run again
   * in a transaction of its own, so it must have no side effects outside the database.
   */
  <T>(work: (tx: BatchTx) => Promise<T>, options: { batch: true }): Promise<T>
}

/**
 * Adds to an engine: retries after conflicts, load shedding, timing, outage reports and the cache. Turns errors that
 * mean "the database is unavailable" into a `Refusal`.
 */
export interface Db
  extends Pick<Engine, 'systemName' | 'read' | 'readFromReplica' | 'ask' | 'erase' | 'inspect' | 'close'> {
  write: Write
  stableOffset(): Promise<number>
  cache: EstateCache
  auditFeed: AuditFeed
  /** The number of transactions that are waiting or running. A query outside a transaction counts as a read. */
  readonly pending: Readonly<Record<Work, number>>
  /** Reserves a name for work in this process. Returns a function that frees the name; undefined if it is reserved. */
  claim(name: string): (() => void) | undefined
}

interface WriteOptions {
  durability?: Durability
  batch?: true
}

const maxAttempts = 4
const serverUrl = /^postgres(ql)?:/
const defaultCacheBytes = 125_829_120

/** Thrown when work relied on stale cached data: the transaction is rolled back and runs again. */
export class StaleReadError extends Error {}

/** The embedded database's file, which may not exist yet; undefined for a database server. */
export function databaseFile(url: string): string | undefined {
  return serverUrl.test(url) ? undefined : sqliteFile(url)
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Db {
  const { onTransaction = () => {}, cacheBytes = defaultCacheBytes, admit = () => {} } = options
  const engine = openEngine(url, options)
  const outage = new Outage(options.outage ?? { onDown: () => {}, onUp: () => {} })
  const guard = guarded(engine, outage)
  const pending = { read: 0, write: 0 }
  const query: Engine['ask'] = (statement, ...values) => {
    admit('query', pending.read)
    const rows = guard(() => engine.ask(statement, ...values))
    return rows instanceof Promise ? counted(pending, 'read', rows) : rows
  }
  const ask = timed(query, options.onQuery)
  const stableOffset = async () => guard(engine.stableOffset)
  const cache = new EstateCache({ ask, pollChanges: () => guard(engine.pollChanges) }, cacheBytes)
  const run = <T>(kind: Work, work: () => Promise<T>) =>
    timedTransaction(kind, counted(pending, kind, guard(work)), onTransaction)
  const reads = (read: Engine['read']): Engine['read'] => {
    return async (work) => {
      admit('read', pending.read)
      return run('read', () => read(work))
    }
  }
  const expire = () => cache.expire()
  const write = async <T>(work: (tx: Tx) => Promise<T>, { batch, durability = 'full' }: WriteOptions = {}) => {
    admit('write', pending.write)
    const attempt = () => {
      // The cast is safe, since the type `Write` permits the option `batch` only for work that takes a `BatchTx`.
      if (batch) return engine.writeInBatch(work as (tx: BatchTx) => Promise<T>, expire)
      return engine.write(work, durability, expire)
    }
    return retrying(() => run('write', attempt), engine, outage)
  }
  return {
    systemName: engine.systemName,
    read: reads(engine.read),
    readFromReplica: reads(engine.readFromReplica),
    write,
    ask,
    stableOffset,
    erase: () => guard(engine.erase),
    cache,
    auditFeed: new AuditFeed({ ask, stableOffset }),
    pending,
    claim: claims(),
    inspect: engine.inspect,
    close: engine.close,
  }
}

function openEngine(url: string, options: DatabaseOptions): Engine {
  const { replica } = options
  if (replica !== undefined && !(serverUrl.test(url) && serverUrl.test(replica)))
    throw new Error('ATRIUM_DATABASE_REPLICA must be a postgres:// URL, and so must ATRIUM_DATABASE beside it')
  return serverUrl.test(url) ? openPostgres(url, options) : openSqlite(url, options)
}

function timed(ask: Engine['ask'], onQuery: QueryTimer | undefined): Engine['ask'] {
  if (onQuery === undefined) return ask
  return (statement, ...values) => {
    const startMs = performance.now()
    const stop = () => onQuery((performance.now() - startMs) / 1000)
    const rows = ask(statement, ...values)
    if (rows instanceof Promise) return rows.finally(stop)
    stop()
    return rows
  }
}

async function timedTransaction<T>(
  kind: Work,
  work: Promise<T>,
  onTransaction: NonNullable<DatabaseOptions['onTransaction']>,
): Promise<T> {
  const startMs = performance.now()
  try {
    return await work
  } finally {
    onTransaction(kind, (performance.now() - startMs) / 1000)
  }
}

async function counted<T>(pending: Record<Work, number>, kind: Work, work: Promise<T>): Promise<T> {
  pending[kind]++
  try {
    return await work
  } finally {
    pending[kind]--
  }
}

/**
 * Returns a function that runs work, turns unavailability into a `Refusal`, and reports outages. Work may throw or
 * reject.
 */
function guarded({ isUnavailable }: Engine, outage: Outage): <R>(work: () => R) => R {
  const translated = (error: unknown) => (isUnavailable(error) ? unavailable(error, outage) : error)
  const succeeded = <T>(result: T) => {
    outage.onSuccess()
    return result
  }
  return <R>(work: () => R): R => {
    try {
      const result = work()
      if (!(result instanceof Promise)) return succeeded(result)
      return result.then(succeeded, (error) => {
        throw translated(error)
      }) as R
    } catch (error) {
      throw translated(error)
    }
  }
}

function unavailable(cause: unknown, outage: Outage): Refusal {
  outage.onFailure(cause)
  const refusal = new Refusal('database_unavailable', 'The database cannot be used at the moment.', {
    retryAfterSeconds: 1,
  })
  refusal.cause = cause
  return refusal
}

function claims(): Db['claim'] {
  const reserved = new Set<string>()
  return (name) => {
    if (reserved.has(name)) return undefined
    reserved.add(name)
    return () => reserved.delete(name)
  }
}

async function retrying<T>(work: () => Promise<T>, { isConflict }: Engine, outage: Outage): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StaleReadError) && !isConflict(error)) throw error
      if (attempt === maxAttempts) throw unavailable(error, outage)
    }
  }
}
