import { touchTokens } from '../../storage/access/token.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'

/** Tokens per transaction, so that requests get their turn between two. */
const batchSize = 250
/** Tokens per flush. Each update dirties a page of its own, so thousands of them at once would take long. */
const minPerFlush = 1000
/** A token's time is written after at most so many flushes. */
const maxFlushesPerToken = 10

/** Buffers the minute in which each token was last used. A background job writes it, off the path of requests. */
export class TokenUse {
  readonly #db: Db
  /** Not yet written. */
  #minuteById = new Map<string, string>()
  /** The tokens that were seen in the current minute. */
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
