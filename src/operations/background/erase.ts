import { setTimeout as sleep } from 'node:timers/promises'
import { isContentRemovedSince, lastOffset } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'

const maxAttempts = 5
const retryDelayMs = 20

/**
 * Removes deleted content from the database files, where engines leave it: in free pages, in dead rows and in the
 * write-ahead log. A background job runs this after rooms were opened or closed, which deletes guest data. The first
 * run of a process always erases, because an earlier process may have stopped between a deletion and its erasure.
 */
export class Erasure {
  readonly #db: Db
  /**
   * The sequence number of an audit entry. All content whose deletion is recorded by entries up to this one is erased
   * from the database files. Undefined until the first run ends.
   */
  #doneUpTo: number | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Erases deleted content if any node has deleted some since the last run. */
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

  /**
   * Erases deleted content, with retries, because open read transactions block the erasure. Returns false if it is
   * still blocked after the last retry; the next run tries again.
   */
  async #erase(): Promise<boolean> {
    for (let attempt = 1; !(await this.#db.erase()); attempt++) {
      if (attempt === maxAttempts) return false
      await sleep(retryDelayMs)
    }
    return true
  }
}
