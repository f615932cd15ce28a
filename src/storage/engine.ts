import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Dialect } from './migrations/frozen/migration.ts'
import type { Statement, Value } from './statement.ts'
import type { Tables } from './tables.ts'

// biome-ignore lint/suspicious/noExplicitAny: any selection of any tables can be locked
type AnySelect = SelectQueryBuilder<any, any, any>

/**
 * A writing transaction as far as it can be shared by several writes (group commit). Everything in it is seen by others
 * at once or never.
 */
export interface BatchTx {
  /** The rows of a prepared statement. Several that are asked for together travel together. */
  rows<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** The same, and keeps these rows from changing until the transaction ends. */
  lockedRows<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** Sends a statement without waiting for it; if it fails, so does the transaction. */
  post(statement: Statement, ...values: Value[]): void
  /** The same, behind everything else of the transaction: right before it commits, where others write beside it. */
  postLast(statement: Statement, ...values: Value[]): void
  /** Takes a lock with this name until the transaction ends; false when another node has it. */
  tryLock(name: string): boolean | Promise<boolean>
  /** Nothing changes beside this transaction: what the memory holds stays true until its end. */
  readonly alone: boolean
}

/** A transaction of its own. */
export interface Tx extends BatchTx {
  readonly query: Kysely<Tables>
  /** Keeps the rows that the query finds from changing until the transaction ends. */
  lockRow<Q extends AnySelect>(query: Q): Q
  /** Waits for a lock with this name and keeps it until the transaction ends. */
  lock(name: string): Promise<void>
  /** Used by migrations alone. */
  readonly dialect: Dialect
  readonly transfer: Transfer
}

/** What moving whole tables from one database to another asks of an engine. */
export interface Transfer {
  /** Its name, for people. */
  readonly engine: string
  /** The columns that are not the engine's own, in their order; none when there is no such table. */
  columnsOf(table: string): Promise<string[]>
  /** Keeps others from writing to these tables until the transaction ends; they can still be read. */
  lockTables(tables: string[]): Promise<void>
  /** Written behind the columns of an insert, to keep the numbers that the engine would give itself. */
  readonly keepNumbers: string
  /** Goes on with those numbers after the highest there is. */
  continueNumbers(table: string): Promise<void>
}

/** A fact about the database that an operator should look at, from `atrium doctor`. */
export interface Finding {
  check: string
  ok: boolean
  detail: string
  advice?: string
}

/** A row of the journal, as far as it says what is no longer true. */
export interface Change {
  action: string
  facility: string | null
  partner: string | null
}

/** What was committed since the last look, by anybody; `everything` when that cannot be told. */
export type Changes = Change[] | 'everything'

/** Beyond this, forgetting all is cheaper. */
export const changesAtMost = 5000

export interface EngineOptions {
  /** Somebody waits: a server that takes longer for an answer counts as away. Without it, all may take as long as it needs. */
  answerWithinMs?: number
  /** What it does beside its answers did not succeed; nobody who asks is told. */
  failed?: (what: string, error: unknown) => void
  /** How many connections to a server may be open at once, at least 4. */
  connections?: number
  /** Another server is used from now on; why not the one before. */
  serverChanged?: (change: { from: string; to: string; reason: unknown }) => void
}

/** `relaxed` commits do not wait for the disk: others see them at once, but a power failure can lose the last of them. */
export type Durability = 'full' | 'relaxed'

/** What an engine brings; all differences between engines are behind this. */
export interface Engine {
  /** Its name in traces (OpenTelemetry's `db.system.name`). */
  readonly systemName: string
  /** A snapshot: several queries see one state. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** `moved` is called when a transaction that has the database to itself has begun, and again when it has ended. */
  write<T>(work: (tx: Tx) => Promise<T>, durability: Durability, moved: () => void): Promise<T>
  /** May share its transaction with others of its kind, and may begin the work again; see `Write`. */
  writeInBatch<T>(work: (tx: BatchTx) => Promise<T>, moved: () => void): Promise<T>
  /** One statement on the newest committed state. An embedded engine answers at once. */
  ask<Row>(statement: Statement<Row>, ...values: Value[]): Row[] | Promise<Row[]>
  /** What was committed since the last look. An embedded engine answers at once. */
  look(): Changes | Promise<Changes>
  /** The journal's entries up to this number are all there, and none can still be committed; 0 when it cannot be told yet. */
  settled(): number | Promise<number>
  /** Takes out of the engine's own files what was deleted, as far as it can; false when somebody was in the way. */
  erase(): Promise<boolean>
  /** A conflict between transactions, worth another try. */
  isConflict(error: unknown): boolean
  /** The database cannot be reached or is busy beyond patience. */
  isUnavailable(error: unknown): boolean
  inspect(): Promise<Finding[]>
  /** How the query would be carried out, in the engine's words. */
  explain(query: { sql: string; parameters: readonly unknown[] }): Promise<string>
  close(): Promise<void>
}
