import type { RequestCount } from '../../domain/request.ts'

export class RequestCounters<Kind extends string | number> {
  readonly #counts = new Map<string, RequestCount<Kind>[]>()
  /** Counts of past minutes, and counts that could not be written to the database and were put back. */
  #past: RequestCount<Kind>[] = []
  #minute = 0
  #isoMinute = ''
  #current = 0

  get waiting(): number {
    return this.#past.length + this.#current
  }

  /** `minute` is the number of minutes since the Unix epoch. */
  add(partner: string, kind: Kind, minute: number, durationUs = 0): void {
    if (minute !== this.#minute) {
      this.#past = this.#past.concat(this.#takeCurrent(Infinity))
      this.#minute = minute
      this.#isoMinute = new Date(minute * 60_000).toISOString()
    }
    const counts = this.#counts.get(partner) ?? []
    if (counts.length === 0) this.#counts.set(partner, counts)
    const count = counts.find((one) => one.kind === kind)
    if (count === undefined) {
      this.#current++
      counts.push({ minute: this.#isoMinute, partner, kind, requests: 1, durationUs, slowestUs: durationUs })
      return
    }
    count.requests++
    count.durationUs += durationUs
    if (durationUs > count.slowestUs) count.slowestUs = durationUs
  }

  /** Removes and returns up to `max` of the oldest counts. */
  take(max: number): RequestCount<Kind>[] {
    const taken = this.#past.splice(0, max)
    return taken.concat(this.#takeCurrent(max - taken.length))
  }

  putBack(counts: RequestCount<Kind>[]): void {
    this.#past = [...counts, ...this.#past]
  }

  #takeCurrent(max: number): RequestCount<Kind>[] {
    const taken: RequestCount<Kind>[] = []
    for (const [partner, counts] of this.#counts) {
      if (taken.length === max) break
      taken.push(...counts.splice(0, max - taken.length))
      if (counts.length === 0) this.#counts.delete(partner)
    }
    this.#current -= taken.length
    return taken
  }
}
