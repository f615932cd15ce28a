import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Dialect } from './migrations/frozen/migration.ts'
import type { Statement, Value } from './statement.ts'
import type { Tables } from './tables.ts'

// The interface between queries and the two engines, SQLite (embedded) and PostgreSQL (a database server). What differs
// between the engines is behind `Engine`. database.ts adds retries, limits and the cache to an engine; no other code
// calls an engine directly.

// biome-ignore lint/suspicious/noExplicitAny: any selection of any tables can be locked
type AnySelect = SelectQueryBuilder<any, any, any>

/**
 * The methods that also work when several writes share the transaction. There is no query builder, and each write locks
 * one row, so that an engine can interleave the statements of all writes in the batch.
 */
export interface BatchTx {
  /** Returns the rows. A database server receives all statements of the same tick in one round trip. */
  rows<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** Like `rows`, and also locks the returned rows until the transaction ends. */
  lockedRows<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** Sends a statement without waiting for its result. If it fails, the transaction fails. */
  post(statement: Statement, ...values: Value[]): void
  /** Like `post`, but sends the statement right before the commit, after all statements sent by other methods. */
  postLast(statement: Statement, ...values: Value[]): void
  /** Holds a named lock until the transaction ends. Returns false at once when another transaction holds it. */
  tryLock(name: string): boolean | Promise<boolean>
  /** Whether no other transaction can write meanwhile, so that a cache that is current at the start stays current. */
  readonly isExclusive: boolean
}

export interface Tx extends BatchTx {
  readonly query: Kysely<Tables>
  /** Makes the query lock the rows it returns until the transaction ends. */
  lockRow<Q extends AnySelect>(query: Q): Q
  /** Waits for a named lock and holds it until the transaction ends. */
  lock(name: string): Promise<void>
  /** The SQL that differs between engines in table definitions, for migrations only. */
  readonly dialect: Dialect
  readonly transfer: Transfer
}

/** The parts of copying whole tables and of other large changes, such as a restore, that differ between engines. */
export interface Transfer {
  readonly engine: string
  /** Lists columns in order, without those that the engine fills itself. Returns none for an unknown table. */
  columnsOf(table: string): Promise<string[]>
  /** Prevents other transactions from writing to these tables until this one ends. */
  lockTables(tables: string[]): Promise<void>
  /** SQL after the column list of an insert that makes the engine accept values for columns it would generate. */
  readonly keepNumbers: string
  /** Makes the numbers that the engine generates for new rows of a table continue after the highest existing number. */
  continueNumbers(table: string): Promise<void>
  /** Makes the query planner know how many rows these tables have now. Suits the end of a large change. */
  analyze(tables: string[]): Promise<void>
}

/** The result of one check of the database's configuration; `atrium doctor` prints it. */
export interface Finding {
  check: string
  ok: boolean
  detail: string
  advice?: string
}

/** The columns of an audit entry by which a node decides which of its cached data the entry's change makes stale. */
export interface Change {
  action: string
  facility: string | null
  partner: string | null
}

/** The changes that all nodes committed since the previous poll; `everything` when the changes cannot be determined. */
export type Changes = Change[] | 'everything'

/** The most changes that a poll returns: with more, to clear the cache is cheaper than to invalidate entries. */
export const maxChanges = 5000

export interface EngineOptions {
  /** How long a server may take to respond before it is unavailable. Default: unlimited, for one-off commands. */
  responseTimeoutMs?: number
  /** Called when background work fails, such as emptying the write-ahead log, which no request would report. */
  onError?: (what: string, error: unknown) => void
  /** Maximum number of open connections to a server, at least 4. */
  maxConnections?: number
  /** Called after a failover to another server. `reason` is the error after which Atrium searched for that server. */
  onServerChange?: (change: { from: string; to: string; reason: unknown }) => void
  /** The URL of standbys for `readFromReplica`. Default: none. */
  replica?: string
  /** Called when a read that the replica may serve has ended there, or is about to run on the primary. */
  onReplicaRead?: (read: ReplicaRead) => void
  /** Called when reads begin to use a standby, and when they do so no more, with the reason. */
  onReplicaChange?: (change: { server: string; isUsed: boolean; reason: unknown }) => void
}

/**
 * The server that served a read: the replica or, for one of five reasons, the primary. `behind`, `ahead`: the standby
 * lacked commits of the primary, or showed commits that the primary did not show yet. `unusable`: it is no standby of
 * this primary. `failed`: an error. `paused`: one of these happened less than a second ago.
 */
export type ReplicaRead = 'replica' | 'behind' | 'ahead' | 'unusable' | 'failed' | 'paused'

/** `relaxed`: a commit does not wait for the disk, so a power failure can lose it, although others see it at once. */
export type Durability = 'full' | 'relaxed'

export interface Engine {
  /** The engine's name in traces (OpenTelemetry's `db.system.name`). */
  readonly systemName: string
  /** Runs read-only work in a transaction, in which all queries see the same state of the database. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Like `read`, but may run on a standby that has all commits of the primary; the result is as fresh. `work` may run
   * twice: again on the primary if the standby fails meanwhile. Suits long reads, as the checks take four round trips.
   */
  readFromReplica<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The embedded engine calls `onSnapshotChange` after it begins and after it ends the transaction, so that the cache
   * polls again for commits of other processes and of this one. A database server's engine never calls it.
   */
  write<T>(work: (tx: Tx) => Promise<T>, durability: Durability, onSnapshotChange: () => void): Promise<T>
  /** Several writes may share the transaction, and `work` may run more than once; see `Write` in database.ts. */
  writeInBatch<T>(work: (tx: BatchTx) => Promise<T>, onSnapshotChange: () => void): Promise<T>
  /** Reads the newest committed state, outside a transaction: synchronously in the embedded engine. */
  ask<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** Returns the changes since the previous poll; synchronously in the embedded engine. */
  pollChanges(): Changes | Promise<Changes>
  /** Returns the stable offset, up to which open transactions can add no audit entries; 0 while it is not known. */
  stableOffset(): number | Promise<number>
  /** Removes the remains of deleted content from files. Returns false when another connection prevented this. */
  erase(): Promise<boolean>
  /** Returns whether a concurrent transaction made this one fail, so that it should be run again. */
  isConflict(error: unknown): boolean
  /** Returns whether the database could not be reached, or was busy for too long. */
  isUnavailable(error: unknown): boolean
  inspect(): Promise<Finding[]>
  close(): Promise<void>
}
