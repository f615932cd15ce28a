import { setTimeout as sleep } from 'node:timers/promises'
import { isContentRemovedSince, lastEntry } from '../../storage/audit/audit-removal.ts'
import type { Db } from '../../storage/database.ts'

const triesAtMost = 5
const betweenTriesMs = 20

/**
 * What a reset deletes is gone from every answer at once; what the engine still has of it in its files goes here. The
 * first run always erases: whoever ran before may have ended too early.
 */
export class Erasure {
  readonly #db: Db
  /** Up to this entry of the journal, whatever was removed is erased. */
  #doneUpTo: number | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Does nothing when nothing was removed since, by whichever process. */
  async run(): Promise<void> {
    const last = await lastEntry(this.#db)
    if (await this.#isDue(last)) {
      if (!(await this.#erase())) return
    }
    this.#doneUpTo = last
  }

  async #isDue(last: number): Promise<boolean> {
    if (this.#doneUpTo === undefined || last < this.#doneUpTo) return true
    return last > this.#doneUpTo && isContentRemovedSince(this.#db, this.#doneUpTo, last)
  }

  /** Somebody may be reading what is to go; if they go on for long, the next run does it. */
  async #erase(): Promise<boolean> {
    for (let attempt = 1; !(await this.#db.erase()); attempt++) {
      if (attempt === triesAtMost) return false
      await sleep(betweenTriesMs)
    }
    return true
  }
}
