import type { Db } from '../storage/database.ts'
import type { KnownToken } from '../storage/memory/partners.ts'
import { touchTokens } from '../storage/token.ts'

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
    if (this.#minuteById.size === 0) return
    const noted = this.#minuteById
    this.#minuteById = new Map()
    try {
      await this.#db.write((tx) => touchTokens(tx, noted))
    } catch (error) {
      for (const [id, minute] of noted) if (!this.#minuteById.has(id)) this.#minuteById.set(id, minute)
      throw error
    }
  }
}
