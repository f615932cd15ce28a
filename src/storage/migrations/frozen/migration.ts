import type { QueryExecutorProvider } from 'kysely'

// Migrations are frozen: they must change a database in the same way now and in years. So they import only from this
// folder, which holds copies of the code they need, and these copies never change.

export interface MigrationTx {
  readonly query: QueryExecutorProvider
  readonly dialect: Dialect
}

export interface MigrationBatch {
  rows: number
  /** The key after which the next batch begins; undefined when this batch was the last. */
  after: string | undefined
}

export interface Dialect {
  /** The column types for texts, for integers (`integer`), and for a generated primary key (`serial`). */
  readonly text: string
  readonly integer: string
  readonly serial: string
  /** SQL after `create table (…)` that stores the rows in the order of the primary key; empty if there is none. */
  readonly clustered: string
  readonly auditTable: readonly string[]
  /** SQL that lets the engine determine the stable offset, up to which open transactions can add no audit entries. */
  readonly auditOffsets: readonly string[]
  /** SQL that makes each transaction which adds audit entries take a shared lock, so that others see it is open. */
  readonly auditWriterLock: readonly string[]
}
