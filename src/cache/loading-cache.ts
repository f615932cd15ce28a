import type { MaybePromise } from '../domain/maybe.ts'
import { copyText } from '../domain/text.ts'
import { type CacheMetrics, LruCache } from './lru-cache.ts'
import { SingleFlight } from './single-flight.ts'

interface LoadingOptions<V> {
  maxBytes: number
  bytesOf(key: string, value: V): number
  /** Loads the value of a key. Returns undefined, which is not cached, when there is none. */
  load(key: string): MaybePromise<V | undefined>
  /** Returns whether the data from which a value was derived is still current. If not, the lookup is a miss. */
  isCurrent?(value: V): boolean
}

/**
 * A read-through cache, limited in bytes, with one load per key at a time. If a key is invalidated during a load, the
 * loaded value is returned to the callers but not cached.
 */
export class LoadingCache<V> {
  readonly #entries: LruCache<V>
  readonly #flights = new SingleFlight<V | undefined>()
  readonly #options: LoadingOptions<V>
  #hits = 0
  #misses = 0

  constructor(options: LoadingOptions<V>) {
    this.#options = options
    this.#entries = new LruCache(options)
  }

  get metrics(): CacheMetrics {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#entries.bytes, entries: this.#entries.size }
  }

  /** Returns undefined on a miss. Unlike `find`, it does not load the value then. */
  get(key: string): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined || !this.#isCurrent(value)) return undefined
    this.#hits++
    return value
  }

  /** Returns whether the cache still holds exactly this object (not an equal one). Marks it as used. */
  has(key: string, value: V): boolean {
    return this.#entries.get(key) === value && this.#isCurrent(value)
  }

  find(key: string): MaybePromise<V | undefined> {
    const value = this.get(key)
    if (value !== undefined) return value
    this.#misses++
    const own = copyText(key)
    return this.#flights.run(
      own,
      '',
      () => this.#options.load(own),
      (loaded) => this.#store(own, loaded),
    )
  }

  invalidate(key: string): void {
    this.#flights.invalidate(key)
    this.#entries.delete(key)
  }

  /** Keeps the values of loads in progress out of the cache, as they may already be stale. */
  invalidateLoads(): void {
    this.#flights.invalidateAll()
  }

  clear(): void {
    this.#flights.invalidateAll()
    this.#entries.clear()
  }

  #isCurrent(value: V): boolean {
    return this.#options.isCurrent?.(value) ?? true
  }

  #store(key: string, value: V | undefined): V | undefined {
    if (value !== undefined) this.#entries.set(key, value)
    return value
  }
}
