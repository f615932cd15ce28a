import type { QueryExecutorProvider } from 'kysely'

// Migrations are frozen: a database that applies one tomorrow must end up the same as one that applied it years ago. So
// they import nothing that changes with the program, and this folder holds copies of the code they need.

/** The parts of a transaction that migrations use. */
export interface MigrationTx {
  readonly query: QueryExecutorProvider
  readonly dialect: Dialect
}

/** The result of one batch of a migration that walks through a large table. */
export interface MigrationBatch {
  rows: number
  /** The key at which the next batch begins; undefined after the last one. */
  after: string | undefined
}

/** The differences between engines in DDL. */
export interface Dialect {
  /** Column types; the last one is that of a generated key. */
  readonly text: string
  readonly integer: string
  readonly serial: string
  /** Appended to `create table (…)`: stores rows in the order of the primary key, if the engine can. */
  readonly clustered: string
  /** Create the table of the audit log. */
  readonly auditTable: readonly string[]
  /** Let the engine determine the stable offset of the audit log. */
  readonly auditOffsets: readonly string[]
  /** Make transactions that add to the audit log recognizable. */
  readonly auditWriterLock: readonly string[]
}
