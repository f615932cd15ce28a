import type { QueryExecutorProvider } from 'kysely'

// Migrations are frozen: a database that applies one tomorrow ends up with the same bytes as one that applied it years ago.
// So they import nothing that changes with the program. What they need of it is copied into this folder, as it was then.

/** One transaction, as far as a migration needs it. */
export interface MigrationTx {
  readonly query: QueryExecutorProvider
  readonly dialect: Dialect
}

/** Differences between engines in the statements that make tables. */
export interface Dialect {
  /** The types of columns, the last one of a key that counts by itself. */
  readonly text: string
  readonly integer: string
  readonly serial: string
  /** Written behind a table's columns to store its rows in the order of its key, where the engine can. */
  readonly clustered: string
  /** Statements that make the table of the audit log. */
  readonly auditTable: readonly string[]
  /** Those that let the engine tell up to which offset the audit log is complete. */
  readonly auditOffsets: readonly string[]
  /** Those by which a transaction that adds to the audit log can be told from others. */
  readonly auditWriterLock: readonly string[]
}
