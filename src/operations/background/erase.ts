import { setTimeout as sleep } from 'node:timers/promises'
import { isContentRemovedSince, lastOffset } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'

const maxAttempts = 5
const retryDelayMs = 20

/**
 * Removes deleted content from the database files, where engines leave it: in free pages, dead rows and the write-ahead
 * log. Runs after rooms were opened or closed, which deletes guest data. The first run of a process always erases,
 * because an earlier process may have stopped between a deletion and its erasure.
 */
export class Erasure {
  readonly #db: Db
  /** All deletions that audit entries up to this number record are erased. Undefined until the first run ends. */
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

  /** Open read transactions block the erasure. Returns false if it is still blocked after the last retry. */
  async #erase(): Promise<boolean> {
    for (let attempt = 1; !(await this.#db.erase()); attempt++) {
      if (attempt === maxAttempts) return false
      await sleep(retryDelayMs)
    }
    return true
  }
}
