import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

/** What is smaller is done sooner than it is handed over. */
const largeBytes = 1_048_576

/**
 * `secure_delete` overwrites what is deleted; the write-ahead log still has it from the time it was written, until the
 * log is cut to nothing. Most of it moves to the file while others write; only the end keeps them out for a moment.
 */
export function emptyLog(database: DatabaseSync): boolean {
  database.exec('pragma wal_checkpoint(passive)')
  return database.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0
}

function isLogLarge(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > largeBytes
}

export function eraserOf(path: string, database: DatabaseSync) {
  let apart: Promise<unknown> = Promise.resolve()
  return {
    erase: async (): Promise<boolean> => {
      if (!isLogLarge(path)) return !database.isTransaction && emptyLog(database)
      const emptying = emptyLogApart(path)
      apart = emptying.catch(() => {})
      return emptying
    },
    /** What was handed over has come to its end. */
    ended: () => apart,
  }
}

/** The same by a thread of its own, so that nobody waits for the disk. */
function emptyLogApart(path: string): Promise<boolean> {
  const worker = new Worker(new URL('./erase-worker.ts', import.meta.url), { workerData: path })
  return new Promise((resolve, reject) => {
    let isEmpty = false
    worker.on('message', (emptied: boolean) => {
      isEmpty = emptied
    })
    worker.on('error', reject)
    worker.on('exit', () => resolve(isEmpty))
  })
}
