import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Checkpointer } from './checkpoint.ts'

/** Truncating a smaller write-ahead log takes less time than starting a thread. */
const largeLogBytes = 1_048_576

/**
 * The write-ahead log keeps old versions of pages until it is truncated; `secure_delete` overwrites content only in the
 * database file. Returns false when another connection still needed the log.
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
