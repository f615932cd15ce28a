/** An embedded engine answers at once, a server later; what comes next is written once. */
export type Maybe<T> = T | Promise<T>

export function andThen<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
