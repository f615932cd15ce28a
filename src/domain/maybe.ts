/**
 * SQLite returns values at once and PostgreSQL later. `await` is avoided: even for a value it would end the current
 * turn of the event loop, and reads from the cache would not be synchronous.
 */
export type MaybePromise<T> = T | Promise<T>

/** Calls `next` at once with a value, or later with that of a promise. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
