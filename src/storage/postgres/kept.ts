import type { Connection } from './connection.ts'
import type { Pool, Taken } from './pool.ts'
import type { Primary } from './primary.ts'

/** One connection of a pool, kept for a question that is asked all the time; another when it breaks. */
export class Kept {
  readonly #pool: Pool
  readonly #primary: Primary
  #taking: Promise<Taken> | undefined

  constructor(pool: Pool, primary: Primary) {
    this.#pool = pool
    this.#primary = primary
  }

  async use<T>(withinMs: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    const taking = this.#taking ?? this.#take()
    const taken = await taking
    if (taken.era !== this.#primary.era) {
      this.#drop(taking)
      return this.use(withinMs, work)
    }
    try {
      return await taken.within(withinMs, work(taken))
    } catch (error) {
      this.#broke(taking)
      throw error
    }
  }

  async close(): Promise<void> {
    const taken = await this.#taking?.catch(() => undefined)
    this.#taking = undefined
    taken?.release()
  }

  #take(): Promise<Taken> {
    const taking = this.#pool.take()
    this.#taking = taking
    taking.then(
      (taken) => taken.once('end', () => this.#broke(taking)),
      () => this.#drop(taking),
    )
    return taking
  }

  /** Where the next one leads, another server may be: what was connected before does not go on beside it. */
  #broke(taking: Promise<Taken>): void {
    if (this.#taking === taking) this.#primary.era++
    this.#drop(taking)
  }

  #drop(taking: Promise<Taken>): void {
    if (this.#taking !== taking) return
    this.#taking = undefined
    taking.then(
      (taken) => taken.release(true),
      () => {},
    )
  }
}
