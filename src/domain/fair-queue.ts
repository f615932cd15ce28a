export interface QueueLimits {
  perKey: number
  total: number
}

/**
 * A queue that is fair between keys: they are served in turn (round robin), each by its oldest entry, so that an entry waits
 * for one of each other key at most, however many these have. Bounded for each key and in all.
 */
export class FairQueue<T> {
  readonly #limits: QueueLimits
  /** The keys in the order of their turns; one without entries is not in it. */
  readonly #entries = new Map<string, T[]>()
  #size = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  /** Returns false when there is no room for it. */
  add(key: string, entry: T): boolean {
    const entries = this.#entries.get(key) ?? []
    if (entries.length >= this.#limits.perKey || this.#size >= this.#limits.total) return false
    entries.push(entry)
    this.#entries.set(key, entries)
    this.#size++
    return true
  }

  /** Takes the next entry out; undefined when there is none. */
  take(): T | undefined {
    const [next] = this.#entries
    if (next === undefined) return undefined
    const [key, entries] = next
    this.#entries.delete(key)
    if (entries.length > 1) this.#entries.set(key, entries)
    this.#size--
    return entries.shift()
  }

  /** Takes all entries of a key out. */
  takeAll(key: string): T[] {
    const entries = this.#entries.get(key) ?? []
    this.#entries.delete(key)
    this.#size -= entries.length
    return entries
  }
}
