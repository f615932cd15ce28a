import type { QueryExecutorProvider } from 'kysely'

// Migrations are frozen: they must change a database in the same way now and in years. So they import only from this
// folder, which holds copies of the code they need, and these copies never change.

/** The parts of a database transaction that migrations use. */
export interface MigrationTx {
  readonly query: QueryExecutorProvider
  readonly dialect: Dialect
}

/** The result of one batch of a migration that changes a large table in several transactions. */
export interface MigrationBatch {
  rows: number
  /** The key after which the next batch begins; undefined when this batch was the last. */
  after: string | undefined
}

/** The SQL that differs between engines in table definitions. */
export interface Dialect {
  /** The column types for texts, for integers (`integer`), and for a generated primary key (`serial`). */
  readonly text: string
  readonly integer: string
  readonly serial: string
  /**
   * SQL that follows `create table (…)`. Makes the engine store the rows in the order of the primary key; empty if it
   * cannot.
   */
  readonly clustered: string
  /** Statements that create the table of the audit log. */
  readonly auditTable: readonly string[]
  /**
   * Statements that let the engine determine the stable offset, below which no open transaction can add audit entries.
   */
  readonly auditOffsets: readonly string[]
  /**
   * Statements that make each transaction which adds audit entries take a shared lock. By this lock, other connections
   * see which transactions may have added entries.
   */
  readonly auditWriterLock: readonly string[]
}
