import { touchTokens } from '../../storage/access/token.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'

/** How many tokens one transaction updates, so that requests can run between two transactions. */
const batchSize = 250
/** The tokens per flush, unless `maxFlushesPerToken` requires more. Few, since each changes a page of the database. */
const minPerFlush = 1000
/** The maximum number of flushes until the last use of a waiting token is written, however many are waiting. */
const maxFlushesPerToken = 10

/** Buffers the minute in which each token was last used, so that requests do not wait for a write. */
export class TokenUse {
  readonly #db: Db
  /** The minute of last use by token id, for tokens whose minute is not yet written to the database. */
  #minuteById = new Map<string, string>()
  /** The ids of tokens that were used in the current minute. */
  readonly #noted = new Set<string>()
  #minute = 0

  constructor(db: Db) {
    this.#db = db
  }

  note({ id }: Pick<CachedToken, 'id'>, nowMs: number): void {
    const minute = Math.floor(nowMs / 60_000)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#noted.clear()
    }
    if (this.#noted.has(id)) return
    this.#noted.add(id)
    this.#minuteById.set(id, new Date(minute * 60_000).toISOString())
  }

  flush(): Promise<void> {
    return this.#write(Math.max(minPerFlush, Math.ceil(this.#minuteById.size / maxFlushesPerToken)))
  }

  flushAll(): Promise<void> {
    return this.#write(this.#minuteById.size)
  }

  async #write(max: number): Promise<void> {
    const noted = this.#minuteById.entries().take(max).toArray()
    for (const [id] of noted) this.#minuteById.delete(id)
    try {
      while (noted.length > 0) {
        const some = noted.slice(-batchSize)
        await this.#db.write(async (tx) => touchTokens(tx, some), { durability: 'relaxed' })
        noted.length -= some.length
      }
    } catch (error) {
      for (const [id, minute] of noted) if (!this.#minuteById.has(id)) this.#minuteById.set(id, minute)
      throw error
    }
  }
}
