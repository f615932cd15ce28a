import type { MaybePromise } from '../domain/maybe.ts'

/**
 * Shares one load among concurrent requests for the same key. If the key is invalidated during a load, the loaded value
 * may be stale: requests that wait for the load still receive this value, since they arrived before the change, but it
 * is not stored, and later requests start a new load.
 */
export class SingleFlight<V> {
  /** Loads in flight by key, then by variant, so that a key is invalidated with all its variants. */
  readonly #flights = new Map<string, Map<string, Promise<V>>>()

  run(key: string, variant: string, load: () => MaybePromise<V>, store: (value: V) => V): MaybePromise<V> {
    const flight = this.#flights.get(key)?.get(variant)
    if (flight !== undefined) return flight
    const loading = load()
    return loading instanceof Promise ? this.#share(key, variant, loading, store) : store(loading)
  }

  invalidate(key: string): void {
    this.#flights.delete(key)
  }

  invalidateAll(): void {
    this.#flights.clear()
  }

  #share(key: string, variant: string, loading: Promise<V>, store: (value: V) => V): Promise<V> {
    const flights = this.#flights.get(key) ?? new Map<string, Promise<V>>()
    this.#flights.set(key, flights)
    const finish = () => {
      const isCurrent = this.#flights.get(key) === flights && flights.delete(variant)
      if (isCurrent && flights.size === 0) this.#flights.delete(key)
      return isCurrent
    }
    const flight = loading.then(
      (value) => (finish() ? store(value) : value),
      (error) => {
        finish()
        throw error
      },
    )
    flights.set(variant, flight)
    return flight
  }
}
