/** A value of a column; both engines store these types only. */
export type Cell = string | number | null
export type Row = readonly Cell[]

export interface BackupTable {
  name: string
  columns: string[]
}

export interface BackupHeader {
  createdAt: string
  /** The engine of the backup, only for display: the backup can be restored on either engine. */
  engine: string
  /** The names of the migrations that the database had when the backup was taken. */
  schema: string[]
}

/** A batch of rows of one table of a backup. Every table has at least one part, and its parts are consecutive. */
export interface BackupPart {
  table: BackupTable
  rows: Row[]
}

export type RowCounts = Record<string, number>

/** `parts()` can be called more than once, and starts anew each time. */
export interface Backup {
  header: BackupHeader
  counts: RowCounts
  parts(): AsyncIterable<BackupPart>
}

export function countRows(counts: RowCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** The message is shown after the file's name and says what is wrong, such as `it is not a backup made by Atrium`. */
export class BackupFault extends Error {}
