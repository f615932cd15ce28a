/** A value, or a promise of one: an embedded database returns at once, a server later. */
export type Maybe<T> = T | Promise<T>

/** Continues at once with a value, and later with a promise. */
export function andThen<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
