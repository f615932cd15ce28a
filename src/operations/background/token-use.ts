import { touchTokens } from '../../storage/access/token.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'

/** How many tokens are updated per transaction, so that requests run between two of them. */
const batchSize = 250
/**
 * The minimum number of tokens per flush. Each update dirties a page of its own, so writing thousands at once would
 * take long.
 */
const minPerFlush = 1000
/** After how many flushes every token's time has been written. */
const maxFlushesPerToken = 10

/** Buffers the minute in which each token was last used. A background job writes it, off the path of requests. */
export class TokenUse {
  readonly #db: Db
  /** The minute of last use of each token that is not yet written. */
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

  /** Writes what is buffered, or the largest allowed part of it. */
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
