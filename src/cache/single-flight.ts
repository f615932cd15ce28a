import type { MaybePromise } from '../domain/maybe.ts'

/**
 * Lets those who ask for the same thing at the same time share one load (single-flight). A load whose key was
 * invalidated meanwhile may have read what is no longer true: those who wait receive it, it is not stored, and whoever
 * asks from then on starts a load of their own.
 */
export class SingleFlight<V> {
  /** By key, then by variant: a key is invalidated with all its variants. */
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
