import type { RefusalCount } from '../../domain/request.ts'

/** Counts refused requests by minute, partner and reason until the counts are written to the database. */
export class RefusalCounters {
  #counts = new Map<string, RefusalCount>()

  get waiting(): number {
    return this.#counts.size
  }

  /** Counts one request. `minute` is the number of minutes since the Unix epoch. */
  add(partner: string, code: string, minute: number): void {
    const key = keyOf(minute, partner, code)
    const count = this.#counts.get(key)
    if (count !== undefined) count.requests++
    else this.#counts.set(key, { minute: new Date(minute * 60_000).toISOString(), partner, code, requests: 1 })
  }

  /**
   * Removes and returns up to `max` counts, sorted by primary key, because nodes that lock rows in the same order
   * cannot deadlock.
   */
  take(max: number): RefusalCount[] {
    const keys = [...this.#counts.keys()].sort().slice(0, max)
    return keys.map((key) => {
      const count = this.#counts.get(key) as RefusalCount
      this.#counts.delete(key)
      return count
    })
  }

  /** Puts back counts that could not be written to the database. */
  putBack(counts: RefusalCount[]): void {
    for (const count of counts) {
      const key = keyOf(Date.parse(count.minute) / 60_000, count.partner, count.code)
      const known = this.#counts.get(key)
      if (known === undefined) this.#counts.set(key, count)
      else known.requests += count.requests
    }
  }
}

function keyOf(minute: number, partner: string, code: string): string {
  return `${minute} ${partner} ${code}`
}
