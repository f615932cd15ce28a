import { release } from '../../domain/bytes.ts'

/** What is known of an answer that is kept, a number each. */
export const column = {
  slot: 0,
  length: 1,
  /** Since the hand last came by. */
  used: 2,
  /** Counts who had the row. */
  tenant: 3,
  /** The next on the same shelf. */
  next: 4,
  /** Its neighbours in the ring. */
  before: 5,
  after: 6,
  /** Where its bytes are, from where on, and how many. */
  page: 7,
  at: 8,
  bytes: 9,
} as const

const columns = Object.keys(column).length
const rowsAtFirst = 1024

/** What one takes. */
export const rowBytes = columns * Int32Array.BYTES_PER_ELEMENT

/**
 * Rows of numbers outside of V8's heap: hundreds of thousands of answers are not objects that V8 would look through
 * whenever it collects. They are told by number, and 0 is nobody's.
 */
export class Rows {
  #cells = new Int32Array(rowsAtFirst * columns)
  /** So many were ever given out. */
  #count = 1
  /** The first of those that came back, which knows the next. */
  #free = 0

  get(row: number, of: number): number {
    return this.#cells[row * columns + of] as number
  }

  set(row: number, of: number, value: number): void {
    this.#cells[row * columns + of] = value
  }

  /** It may hold what somebody had there before. */
  take(): number {
    const row = this.#free
    if (row !== 0) {
      this.#free = this.get(row, column.next)
      return row
    }
    if ((this.#count + 1) * columns > this.#cells.length) this.#grow()
    return this.#count++
  }

  giveBack(row: number): void {
    this.set(row, column.tenant, this.get(row, column.tenant) + 1)
    this.set(row, column.next, this.#free)
    this.#free = row
  }

  #grow(): void {
    const left = this.#cells
    this.#cells = new Int32Array(left.length * 2)
    this.#cells.set(left)
    release(left)
  }
}
