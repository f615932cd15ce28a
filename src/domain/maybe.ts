/**
 * A value or a promise of one: SQLite returns values at once, PostgreSQL later. An `await`, even of a value, would end
 * the current turn of the event loop, so that reads from the cache would no longer be synchronous.
 */
export type MaybePromise<T> = T | Promise<T>

/** Calls `next` at once with a value, or with the result of a promise when it is fulfilled. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
