import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Checkpointer } from './checkpoint.ts'

/** The size from which a thread truncates the write-ahead log. For a smaller log, starting a thread takes longer. */
const largeLogBytes = 1_048_576

/**
 * Removes the remains of deleted content. `secure_delete` overwrites it only in the database file; the write-ahead log
 * keeps old versions of pages until it is truncated. Returns false when another connection still needed the log.
 */
export async function erase(path: string, database: DatabaseSync, checkpointer?: Checkpointer): Promise<boolean> {
  if (checkpointer !== undefined && isLogLarge(path)) return checkpointer.truncate()
  if (database.isTransaction) return false
  // Copies most pages while other processes can write, so that the truncation blocks them only briefly.
  database.exec('pragma wal_checkpoint(passive)')
  return database.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0
}

function isLogLarge(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > largeLogBytes
}
