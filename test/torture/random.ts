/** A seeded generator (mulberry32): the same seed repeats a run. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0, less than 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to limit − 1. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit)
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('nothing to pick from')
    return list[this.below(list.length)] as T
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  /** A generator of its own, so that concurrent parts stay repeatable. */
  branch(): Random {
    return new Random(this.below(2 ** 32))
  }
}
