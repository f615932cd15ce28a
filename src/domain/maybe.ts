/** A value, or a promise of one: an embedded database returns at once, a server later. */
export type MaybePromise<T> = T | Promise<T>

/** Continues at once with a value, and later with a promise. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
