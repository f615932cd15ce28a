import { setTimeout as sleep } from 'node:timers/promises'
import { lastOffset } from '../../storage/audit/audit.ts'
import { isContentRemovedSince } from '../../storage/audit/content-removal.ts'
import type { Db } from '../../storage/database.ts'

const maxAttempts = 5
const retryDelayMs = 20

/**
 * Removes deleted content from the database files, where engines leave it: in free pages, in dead rows and in
 * the write-ahead log. A background job calls it after resets of rooms. The first run always erases, because the process
 * before this one may have stopped between a deletion and its erasure.
 */
export class Erasure {
  readonly #db: Db
  /** The number of the audit entry up to which all removed content is erased. */
  #doneUpTo: number | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Erases if any node removed content since the last run. */
  async run(): Promise<void> {
    const last = await lastOffset(this.#db)
    if (await this.#isDue(last)) {
      if (!(await this.#erase())) return
    }
    this.#doneUpTo = last
  }

  async #isDue(last: number): Promise<boolean> {
    if (this.#doneUpTo === undefined || last < this.#doneUpTo) return true
    return last > this.#doneUpTo && isContentRemovedSince(this.#db, this.#doneUpTo, last)
  }

  /** Open read transactions block the erasure. Returns false if one outlasts the retries; the next run tries again. */
  async #erase(): Promise<boolean> {
    for (let attempt = 1; !(await this.#db.erase()); attempt++) {
      if (attempt === maxAttempts) return false
      await sleep(retryDelayMs)
    }
    return true
  }
}
