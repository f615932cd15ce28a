import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Dialect } from './migrations/frozen/migration.ts'
import type { Statement, Value } from './statement.ts'
import type { Tables } from './tables.ts'

// The interface between queries and engines. What differs between the embedded database and a database server is behind
// `Engine`. database.ts adds retries, limits and the cache to an engine; no other code calls an engine directly.

// biome-ignore lint/suspicious/noExplicitAny: any selection of any tables can be locked
type AnySelect = SelectQueryBuilder<any, any, any>

/**
 * The part of a writing transaction that several writes can share (group commit). It has no query builder, and each
 * write locks one row, so that an engine can interleave the statements of all writes in the batch.
 */
export interface BatchTx {
  /** Returns the rows of a prepared statement. Statements issued in the same tick are sent in one round trip. */
  rows<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** Like `rows`, and locks the returned rows until the transaction ends. */
  lockedRows<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** Sends a statement without waiting for its result. If it fails, the transaction fails. */
  post(statement: Statement, ...values: Value[]): void
  /** Like `post`, but sends the statement right before the commit, after all other statements of the transaction. */
  postLast(statement: Statement, ...values: Value[]): void
  /** Takes a named lock until the transaction ends. Returns false when another transaction holds it. */
  tryLock(name: string): boolean | Promise<boolean>
  /** Whether no other transaction can write while this one is open, so that a fresh cache stays valid until it ends. */
  readonly isExclusive: boolean
}

/** A transaction with all features, also those that writes in a shared transaction (`BatchTx`) lack. */
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

/** The engine-specific parts of copying whole tables, for backup and restore. */
export interface Transfer {
  /** The engine's display name. */
  readonly engine: string
  /**
   * Lists the columns of a table in order, without columns that the engine fills itself. Returns none for an unknown
   * table.
   */
  columnsOf(table: string): Promise<string[]>
  /** Blocks other writers of these tables, but not readers, until the transaction ends. */
  lockTables(tables: string[]): Promise<void>
  /**
   * SQL after the column list of an insert, which makes the engine accept given values for columns that it would
   * generate.
   */
  readonly keepNumbers: string
  /** Makes the numbers that the engine generates for a table continue after the highest existing one. */
  continueNumbers(table: string): Promise<void>
}

/** The result of one check of the database's configuration; `atrium doctor` prints it. */
export interface Finding {
  check: string
  ok: boolean
  detail: string
  advice?: string
}

/** The columns of an audit entry that decide which cache entries its change makes stale. */
export interface Change {
  action: string
  facility: string | null
  partner: string | null
}

/** The changes that any node committed since the last poll; `everything` when they cannot be determined. */
export type Changes = Change[] | 'everything'

/**
 * The most changes that a poll returns. For more, clearing the whole cache is cheaper than invalidating single entries.
 */
export const maxChanges = 5000

export interface EngineOptions {
  /**
   * How long a server may take to respond before it counts as unavailable. Unlimited by default, as for one-off
   * commands.
   */
  responseTimeoutMs?: number
  /**
   * Called when background work of the engine fails. No request fails because of it, so nothing else reports the error.
   */
  onError?: (what: string, error: unknown) => void
  /** Maximum number of open connections to a server, at least 4. */
  maxConnections?: number
  /** Called after a failover. `reason` is the error that made Atrium search for another server. */
  onServerChange?: (change: { from: string; to: string; reason: unknown }) => void
}

/**
 * `full`: a commit waits for the disk. `relaxed`: it does not; others see it at once, but a power failure can lose it.
 */
export type Durability = 'full' | 'relaxed'

export interface Engine {
  /** The engine's name in traces (OpenTelemetry's `db.system.name`). */
  readonly systemName: string
  /** Runs read-only work in a transaction, in which all queries see the same state of the database. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs work in a writing transaction. If the engine has only one writer, calls `onSnapshotChange` when the
   * transaction has begun and again when it has ended.
   */
  write<T>(work: (tx: Tx) => Promise<T>, durability: Durability, onSnapshotChange: () => void): Promise<T>
  /**
   * Like `write`, but may share the transaction with other writes and may run `work` again; see `Write` in database.ts.
   */
  writeInBatch<T>(work: (tx: BatchTx) => Promise<T>, onSnapshotChange: () => void): Promise<T>
  /**
   * Runs one statement on the newest committed state, outside a transaction. An embedded engine returns the rows at
   * once.
   */
  ask<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** Returns the changes committed since the last poll, for the caches. An embedded engine returns them at once. */
  pollChanges(): Changes | Promise<Changes>
  /**
   * Returns the stable offset: the audit entry number at or below which no open transaction can add entries any more.
   * Returns 0 while it is not known.
   */
  stableOffset(): number | Promise<number>
  /**
   * Removes the remains of deleted content from the engine's files. Returns false when another connection prevented it.
   */
  erase(): Promise<boolean>
  /** Returns whether the transaction failed because of a concurrent one, so that it should be run again. */
  isConflict(error: unknown): boolean
  /** Returns whether the error means that the database could not be reached or was busy for too long. */
  isUnavailable(error: unknown): boolean
  inspect(): Promise<Finding[]>
  close(): Promise<void>
}
