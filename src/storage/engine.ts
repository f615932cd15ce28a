import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Tables } from './tables.ts'

// biome-ignore lint/suspicious/noExplicitAny: any selection of any tables can be locked
type AnySelect = SelectQueryBuilder<any, any, any>

/** One transaction. Everything in it is seen by others at once or never. */
export interface Tx {
  readonly query: Kysely<Tables>
  /** Keeps the rows that the query finds from changing until the transaction ends. */
  lockRow<Q extends AnySelect>(query: Q): Q
  /** Takes a lock with this name until the transaction ends; false when another node has it. */
  tryLock(name: string): Promise<boolean>
  /** Waits for a lock with this name and keeps it until the transaction ends. */
  lock(name: string): Promise<void>
  /** The engine's names for the two kinds of column. */
  readonly columns: { text: string; integer: string }
}

/** A fact about the database that an operator should look at, from `atrium doctor`. */
export interface Finding {
  check: string
  ok: boolean
  detail: string
  advice?: string
}

/** What an engine brings; all differences between engines are behind this. */
export interface Engine {
  /** A snapshot: several queries see one state. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A conflict between transactions, worth another try. */
  isConflict(error: unknown): boolean
  /** The database cannot be reached or is busy beyond patience. */
  isUnavailable(error: unknown): boolean
  inspect(): Promise<Finding[]>
  /** How the query would be carried out, in the engine's words. */
  explain(query: { sql: string; parameters: readonly unknown[] }): Promise<string>
  close(): Promise<void>
}
