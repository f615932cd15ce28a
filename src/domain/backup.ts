/** What both engines keep in a column. */
export type Cell = string | number | null
export type Row = readonly Cell[]

export interface BackupTable {
  name: string
  columns: string[]
}

export interface BackupHeader {
  createdAt: string
  /** The engine it was taken from, for people: it can go back to any. */
  engine: string
  /** The migrations that the tables had seen. */
  schema: string[]
}

/** Some rows of a table. Each table has at least one part, and its parts follow one another. */
export interface BackupPart {
  table: BackupTable
  rows: Row[]
}

/** Numbers of rows by table. */
export type RowCounts = Record<string, number>

/** Everything in a database at one moment. The parts can be gone through again and again. */
export interface Backup {
  header: BackupHeader
  counts: RowCounts
  parts(): AsyncIterable<BackupPart>
}

export function countRows(counts: RowCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Why a file cannot be restored, as the end of a sentence. */
export class BackupFault extends Error {}
