import { column, type Rows } from './rows.ts'

/** Rows in a circle that a hand goes round. */
export class Ring {
  readonly #rows: Rows
  /** 0 while there are none. */
  #hand = 0
  #size = 0

  constructor(rows: Rows) {
    this.#rows = rows
  }

  get size(): number {
    return this.#size
  }

  /** The hand comes to it last. */
  add(row: number): void {
    if (this.#size === 0) {
      this.#hand = row
      this.#link(row, row)
    } else {
      this.#link(this.#rows.get(this.#hand, column.before), row)
      this.#link(row, this.#hand)
    }
    this.#size++
  }

  /** One that is there. */
  remove(row: number): void {
    const after = this.#rows.get(row, column.after)
    this.#link(this.#rows.get(row, column.before), after)
    if (this.#hand === row) this.#hand = after === row ? 0 : after
    this.#size--
  }

  /** What the hand has come to; it moves on. */
  next(): number {
    const row = this.#hand
    if (row !== 0) this.#hand = this.#rows.get(row, column.after)
    return row
  }

  #link(before: number, after: number): void {
    this.#rows.set(before, column.after, after)
    this.#rows.set(after, column.before, before)
  }
}
