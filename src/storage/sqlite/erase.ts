import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

/**
 * A write-ahead log above this size is truncated in a thread. Truncating a smaller one takes less time than starting a
 * thread.
 */
const largeLogBytes = 1_048_576

/**
 * Removes deleted content from the write-ahead log, which keeps old versions of pages until it is truncated.
 * (`secure_delete` overwrites content only in the database file.) A passive checkpoint, during which others can write,
 * first copies most pages, so that the truncating checkpoint blocks writers only briefly. Returns false when another
 * connection still needed the log.
 */
export function truncateLog(database: DatabaseSync): boolean {
  database.exec('pragma wal_checkpoint(passive)')
  return database.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0
}

function isLogLarge(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > largeLogBytes
}

export function createEraser(path: string, database: DatabaseSync) {
  let inThread: Promise<unknown> = Promise.resolve()
  return {
    erase: async (): Promise<boolean> => {
      if (!isLogLarge(path)) return !database.isTransaction && truncateLog(database)
      const truncating = truncateLogInThread(path)
      inThread = truncating.catch(() => {})
      return truncating
    },
    /** Resolves when the thread that truncates the log has ended, or at once if none runs. */
    finished: () => inThread,
  }
}

function truncateLogInThread(path: string): Promise<boolean> {
  const worker = new Worker(new URL('./erase-worker.ts', import.meta.url), { workerData: path })
  return new Promise((resolve, reject) => {
    let isTruncated = false
    worker.on('message', (truncated: boolean) => {
      isTruncated = truncated
    })
    worker.on('error', reject)
    worker.on('exit', () => resolve(isTruncated))
  })
}
