import { touchTokens } from '../../storage/access/token.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'

/** In one transaction, which nobody has to wait long for. */
const tokensAtOnce = 250
/** Written down in one go: each is a page of its own, and where thousands are used all of them at once are a long while. */
const portionAtLeast = 1000
/** None of them waits for longer than so many others. */
const portionsAtMost = 10

/** Remembers which tokens were used in which minute and writes it down now and then, off the requests' path. */
export class TokenUse {
  readonly #db: Db
  /** What is still to be written. */
  #minuteById = new Map<string, string>()
  /** The tokens that were noted in this minute. */
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

  /** Writes down what has gathered, or of very much a part. */
  flush(): Promise<void> {
    return this.#write(Math.max(portionAtLeast, Math.ceil(this.#minuteById.size / portionsAtMost)))
  }

  flushAll(): Promise<void> {
    return this.#write(this.#minuteById.size)
  }

  async #write(portion: number): Promise<void> {
    const noted = this.#minuteById.entries().take(portion).toArray()
    for (const [id] of noted) this.#minuteById.delete(id)
    try {
      while (noted.length > 0) {
        const some = noted.slice(-tokensAtOnce)
        await this.#db.write(async (tx) => touchTokens(tx, some), { durability: 'relaxed' })
        noted.length -= some.length
      }
    } catch (error) {
      for (const [id, minute] of noted) if (!this.#minuteById.has(id)) this.#minuteById.set(id, minute)
      throw error
    }
  }
}
