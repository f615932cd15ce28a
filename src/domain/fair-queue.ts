interface QueueLimits {
  perKey: number
  total: number
}

/** Takes entries from each key in turn, so that the first entry of a key waits for at most one of each other key. */
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

  /** Returns false when the queue is full, for this key or in total. */
  add(key: string, entry: T): boolean {
    const entries = this.#entries.get(key) ?? []
    if (entries.length >= this.#limits.perKey || this.#size >= this.#limits.total) return false
    entries.push(entry)
    this.#entries.set(key, entries)
    this.#size++
    return true
  }

  take(): T | undefined {
    const [next] = this.#entries
    if (next === undefined) return undefined
    const [key, entries] = next
    this.#entries.delete(key)
    if (entries.length > 1) this.#entries.set(key, entries)
    this.#size--
    return entries.shift()
  }

  takeAll(key: string): T[] {
    const entries = this.#entries.get(key) ?? []
    this.#entries.delete(key)
    this.#size -= entries.length
    return entries
  }
}
