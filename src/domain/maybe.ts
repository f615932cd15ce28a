/**
 * A value or a promise of one. SQLite returns at once and PostgreSQL later; code that awaited both would give up the turn
 * of the event loop, and with it the synchronous path of cached reads.
 */
export type MaybePromise<T> = T | Promise<T>

/** Calls `next` synchronously with a value, or when the promise is fulfilled. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
