import type { MaybePromise } from '../domain/maybe.ts'
import { copyText } from '../domain/text.ts'
import { LruCache } from './lru-cache.ts'
import type { CacheMetrics } from './metrics.ts'
import { SingleFlight } from './single-flight.ts'

export interface LoadingOptions<V> {
  maxBytes: number
  bytesOf(key: string, value: V): number
  /** Returns undefined for what does not exist, which is not cached. */
  load(key: string): MaybePromise<V | undefined>
  /** Whether all that the value was made of is still current. */
  isCurrent?(value: V): boolean
}

/** A bounded cache of values that are loaded when they are first asked for, and again once they were invalidated. */
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

  /** Returns the value from the cache. */
  get(key: string): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined || !this.#isCurrent(value)) return undefined
    this.#hits++
    return value
  }

  /** Whether this very value is what the cache holds; counts as a use of it. */
  has(key: string, value: V): boolean {
    return this.#entries.get(key) === value && this.#isCurrent(value)
  }

  /** Returns the value from the cache or from the database. */
  find(key: string, load = this.#options.load): MaybePromise<V | undefined> {
    const value = this.get(key)
    if (value !== undefined) return value
    this.#misses++
    const own = copyText(key)
    return this.#flights.run(
      own,
      '',
      () => load(own),
      (loaded) => this.#store(own, loaded),
    )
  }

  invalidate(key: string): void {
    this.#flights.invalidate(key)
    this.#entries.delete(key)
  }

  /** Keeps loads under way from being stored: one of them may have read what has changed since. */
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
