import type { RequestCount } from '../../domain/request.ts'

const none = -1
const initialSlots = 128
const maxSlots = 32_768

/**
 * Counts requests by minute, partner and status until the counts are written to the database. Each pair of partner and
 * status has a slot (an index into typed arrays), which is used again for the next minute. This avoids an object per
 * count, which would live so long that V8 collects it only in a slow full garbage collection.
 */
export class RequestCounters {
  /**
   * The first slot (index into typed arrays) of each partner, by partner id. The array `next` links it to the slots of
   * the partner's other statuses.
   */
  readonly #first = new Map<string, number>()
  #partners: string[] = []
  #columns = columns(initialSlots)
  /** The slots (indexes into typed arrays) whose count of requests is above 0. */
  #used: number[] = []
  /** Counts of past minutes, and counts that could not be written to the database and were put back. */
  #counts: RequestCount[] = []

  /** The number of counts that `take` can return. */
  get waiting(): number {
    return this.#counts.length + this.#used.length
  }

  /** Counts one request. `minute` is the number of minutes since the Unix epoch. */
  add(partner: string, status: number, minute: number, durationUs: number): void {
    const slot = this.#slotOf(partner, status)
    const { minutes, requests, durations, slowest } = this.#columns
    if (requests[slot] === 0) this.#used.push(slot)
    else if (minutes[slot] !== minute) this.#counts.push(this.#close(slot))
    minutes[slot] = minute
    requests[slot] = (requests[slot] as number) + 1
    durations[slot] = (durations[slot] as number) + durationUs
    if (durationUs > (slowest[slot] as number)) slowest[slot] = durationUs
  }

  /** Removes and returns up to `max` of the oldest counts. */
  take(max: number): RequestCount[] {
    const counts = this.#counts.splice(0, max)
    for (const slot of this.#used.splice(0, max - counts.length)) counts.push(this.#close(slot))
    return counts
  }

  /** Puts back counts that could not be written to the database. */
  putBack(counts: RequestCount[]): void {
    this.#counts = [...counts, ...this.#counts]
  }

  #slotOf(partner: string, status: number): number {
    const { statuses, next } = this.#columns
    const first = this.#first.get(partner) ?? none
    for (let slot = first; slot !== none; slot = next[slot] as number) if (statuses[slot] === status) return slot
    return this.#newSlot(partner, status)
  }

  #newSlot(partner: string, status: number): number {
    const slot = this.#partners.length
    if (slot === maxSlots) {
      this.#freeSlots()
      return this.#newSlot(partner, status)
    }
    if (slot === this.#columns.statuses.length) this.#columns = columns(slot * 2, this.#columns)
    this.#partners.push(partner)
    this.#columns.statuses[slot] = status
    this.#columns.next[slot] = this.#first.get(partner) ?? none
    this.#first.set(partner, slot)
    return slot
  }

  /**
   * Frees all slots (indexes into typed arrays) when `maxSlots` are used, to bound the memory. Moves their counts to
   * `#counts`.
   */
  #freeSlots(): void {
    this.#counts = this.take(this.waiting)
    this.#first.clear()
    this.#partners = []
  }

  #close(slot: number): RequestCount {
    const { minutes, statuses, requests, durations, slowest } = this.#columns
    const count = {
      minute: new Date((minutes[slot] as number) * 60_000).toISOString(),
      partner: this.#partners[slot] as string,
      status: statuses[slot] as number,
      requests: requests[slot] as number,
      durationUs: durations[slot] as number,
      slowestUs: slowest[slot] as number,
    }
    requests[slot] = 0
    durations[slot] = 0
    slowest[slot] = 0
    return count
  }
}

interface Columns {
  statuses: Int32Array
  next: Int32Array
  minutes: Int32Array
  requests: Float64Array
  durations: Float64Array
  slowest: Float64Array
}

function columns(length: number, old?: Columns): Columns {
  const made: Columns = {
    statuses: new Int32Array(length),
    next: new Int32Array(length),
    minutes: new Int32Array(length),
    requests: new Float64Array(length),
    durations: new Float64Array(length),
    slowest: new Float64Array(length),
  }
  if (old !== undefined) for (const name of Object.keys(made) as (keyof Columns)[]) made[name].set(old[name])
  return made
}
