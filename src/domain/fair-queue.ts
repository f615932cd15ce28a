interface QueueLimits {
  perKey: number
  total: number
}

/**
 * A queue that is fair between keys, such as partners: it takes entries from each key in turn, so that the first entry
 * of a key waits for at most one entry of each other key. The number of entries is limited per key and in total.
 */
export class FairQueue<T> {
  readonly #limits: QueueLimits
  /** The entries by key, in the order in which the keys are served next. Keys without entries are removed. */
  readonly #entries = new Map<string, T[]>()
  #size = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  /** Adds an entry. Returns false when the queue is full, for this key or in total. */
  add(key: string, entry: T): boolean {
    const entries = this.#entries.get(key) ?? []
    if (entries.length >= this.#limits.perKey || this.#size >= this.#limits.total) return false
    entries.push(entry)
    this.#entries.set(key, entries)
    this.#size++
    return true
  }

  /** Removes and returns the next entry. Returns undefined when the queue is empty. */
  take(): T | undefined {
    const [next] = this.#entries
    if (next === undefined) return undefined
    const [key, entries] = next
    this.#entries.delete(key)
    if (entries.length > 1) this.#entries.set(key, entries)
    this.#size--
    return entries.shift()
  }

  /** Removes and returns all entries of a key. */
  takeAll(key: string): T[] {
    const entries = this.#entries.get(key) ?? []
    this.#entries.delete(key)
    this.#size -= entries.length
    return entries
  }
}
