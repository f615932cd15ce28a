import type { Db } from '../storage/database.ts'
import type { KnownToken } from '../storage/memory/partners.ts'
import { touchTokens } from '../storage/token.ts'

/** In one transaction, which nobody has to wait long for. */
const tokensAtOnce = 500

/** Remembers which tokens were used in which minute and writes it down now and then, off the requests' path. */
export class TokenUse {
  readonly #db: Db
  #minuteById = new Map<string, string>()

  constructor(db: Db) {
    this.#db = db
  }

  note(token: Pick<KnownToken, 'id' | 'notedMinute'>, nowMs: number): void {
    const minute = Math.floor(nowMs / 60_000)
    if (token.notedMinute === minute) return
    token.notedMinute = minute
    this.#minuteById.set(token.id, new Date(minute * 60_000).toISOString())
  }

  async flush(): Promise<void> {
    const noted = [...this.#minuteById]
    this.#minuteById.clear()
    try {
      while (noted.length > 0) {
        const some = noted.slice(-tokensAtOnce)
        await this.#db.write(async (tx) => touchTokens(tx, some))
        noted.length -= some.length
      }
    } catch (error) {
      for (const [id, minute] of noted) if (!this.#minuteById.has(id)) this.#minuteById.set(id, minute)
      throw error
    }
  }
}
