import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Dialect } from './migrations/frozen/migration.ts'
import type { Statement, Value } from './statement.ts'
import type { Tables } from './tables.ts'

// The seam between queries and engines: everything that differs between the embedded database and a database server is
// behind `Engine`. database.ts wraps an engine with retries, limits and the cache; nothing else calls one directly.

// biome-ignore lint/suspicious/noExplicitAny: any selection of any tables can be locked
type AnySelect = SelectQueryBuilder<any, any, any>

/**
 * The part of a writing transaction that several writes can share (group commit). It has no query builder and locks one
 * row per write, so that an engine can interleave the statements of the writes of a batch.
 */
export interface BatchTx {
  /** Returns the rows of a prepared statement. Statements issued in the same tick share a round trip. */
  rows<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** Returns the rows and locks them until the transaction ends. */
  lockedRows<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** Sends a statement without waiting for its result. If it fails, the transaction fails. */
  post(statement: Statement, ...values: Value[]): void
  /** Like `post`, but sent right before the commit, after all other statements of the transaction. */
  postLast(statement: Statement, ...values: Value[]): void
  /** Takes a named lock until the transaction ends. Returns false when another node holds it. */
  tryLock(name: string): boolean | Promise<boolean>
  /** Whether no other transaction can write meanwhile, so that the cache stays valid until this one ends. */
  readonly isExclusive: boolean
}

/** A transaction that is not shared with other writes. */
export interface Tx extends BatchTx {
  readonly query: Kysely<Tables>
  /** Adds a row lock to the query, which is held until the transaction ends. */
  lockRow<Q extends AnySelect>(query: Q): Q
  /** Waits for a named lock and holds it until the transaction ends. */
  lock(name: string): Promise<void>
  /** The engine's differences in DDL, for migrations only. */
  readonly dialect: Dialect
  readonly transfer: Transfer
}

/** The engine-specific parts of copying whole tables, for backup and restore. */
export interface Transfer {
  /** The engine's display name. */
  readonly engine: string
  /** Lists the columns of a table in order, without those the engine maintains itself; empty for an unknown table. */
  columnsOf(table: string): Promise<string[]>
  /** Blocks other writers of these tables until the transaction ends. Readers are not blocked. */
  lockTables(tables: string[]): Promise<void>
  /** SQL placed after the column list of an insert, so that explicit values for generated columns are accepted. */
  readonly keepNumbers: string
  /** Makes generated numbers continue after the highest one in the table. */
  continueNumbers(table: string): Promise<void>
}

/** The result of one check of the database's configuration, for `atrium doctor`. */
export interface Finding {
  check: string
  ok: boolean
  detail: string
  advice?: string
}

/** The columns of an audit entry that decide what becomes stale. */
export interface Change {
  action: string
  facility: string | null
  partner: string | null
}

/** The changes committed since the last poll, by any node; `everything` when they cannot be determined. */
export type Changes = Change[] | 'everything'

/** The most changes a poll returns. Above it, clearing the whole cache is cheaper than invalidating entry by entry. */
export const maxChanges = 5000

export interface EngineOptions {
  /** How long a server may take to respond before it counts as down. Unlimited when missing, as in one-off commands. */
  responseTimeoutMs?: number
  /** Called when background work of the engine fails; no request fails with it. */
  onError?: (what: string, error: unknown) => void
  /** Maximum number of open connections to a server, at least 4. */
  maxConnections?: number
  /** Called after a failover; `reason` is the error that started the search for another server. */
  onServerChange?: (change: { from: string; to: string; reason: unknown }) => void
}

/** `relaxed` commits do not wait for the disk: others see them at once, but a power failure can lose the latest. */
export type Durability = 'full' | 'relaxed'

export interface Engine {
  /** The engine's name in traces (OpenTelemetry's `db.system.name`). */
  readonly systemName: string
  /** Runs several queries on one snapshot. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** `onSnapshotChange` is called when an exclusive transaction has begun, and again when it has ended. */
  write<T>(work: (tx: Tx) => Promise<T>, durability: Durability, onSnapshotChange: () => void): Promise<T>
  /** Like `write`, but may share the transaction with other writes and may run `work` again; see `Write`. */
  writeInBatch<T>(work: (tx: BatchTx) => Promise<T>, onSnapshotChange: () => void): Promise<T>
  /** Runs one statement on the newest committed state, outside a transaction. Synchronous in an embedded engine. */
  ask<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** Returns what was committed since the last poll. Synchronous in an embedded engine. */
  pollChanges(): Changes | Promise<Changes>
  /** Returns the audit log's stable offset: no entry at or below it can still be committed; 0 when it is not known yet. */
  stableOffset(): number | Promise<number>
  /** Removes deleted content from the engine's files. Returns false when another connection prevented it. */
  erase(): Promise<boolean>
  /** Whether the transaction lost against a concurrent one and should be retried. */
  isConflict(error: unknown): boolean
  /** Whether the error means that the database is unreachable or was busy for too long. */
  isUnavailable(error: unknown): boolean
  inspect(): Promise<Finding[]>
  close(): Promise<void>
}
