export interface Linked<T> {
  before: T | undefined
  after: T | undefined
}

/**
 * All that is kept, in a circle that a hand goes round. Unlike the iterator of a set, which has the set's table of the
 * time when it was made, it holds nothing that was taken out.
 */
export class Ring<T extends Linked<T>> {
  #hand: T | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The hand comes to it last. */
  add(one: T): void {
    this.#size++
    const after = this.#hand ?? one
    const before = after.before ?? one
    this.#hand = after
    one.before = before
    one.after = after
    before.after = one
    after.before = one
  }

  remove(one: T): void {
    const { before, after } = one
    if (before === undefined || after === undefined) return
    this.#size--
    before.after = after
    after.before = before
    if (this.#hand === one) this.#hand = after === one ? undefined : after
    one.before = undefined
    one.after = undefined
  }

  /** What the hand has come to; it moves on. */
  next(): T | undefined {
    const one = this.#hand
    this.#hand = one?.after
    return one
  }
}
