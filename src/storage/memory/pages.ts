import { Reserve, type Room } from './reserve.ts'
import { column, type Rows } from './rows.ts'

const pageBytes = 1024 * 1024
/** What does not fit behind the others leaves the end of a page empty. */
export const packedAtMost = pageBytes / 16
/** Of all the room that pages have, as much may be empty before what is left in one of them is moved. More than such ends. */
const emptyAtMost = 0.1
/** Empty pages that are kept for what comes next. */
const sparesAtMost = 2

class Page {
  readonly number: number
  readonly room: Room
  readonly bytes: Buffer
  /** All that were put here, also those who are elsewhere by now. */
  rows: number[] = []
  end = 0
  used = 0

  constructor(number: number, room: Room) {
    this.number = number
    this.room = room
    this.bytes = room.bytes
  }
}

/**
 * Bytes that stand one behind the other outside of V8's heap, where what goes would leave holes among what stays. The
 * page that is emptiest is given up when too much of all pages is empty, and what is left in it moves to the last one.
 */
export class Pages {
  readonly #rows: Rows
  /** By number: a row that has no bytes has page 0, which there is not. */
  readonly #pages: (Page | undefined)[] = [undefined]
  readonly #freeNumbers: number[] = []
  readonly #spares: Page[] = []
  readonly #reserve: Reserve
  #last: Page | undefined
  #count = 0
  #used = 0

  /** For so many bytes in all. */
  constructor(rows: Rows, limitBytes: number) {
    this.#rows = rows
    this.#reserve = new Reserve(limitBytes / (1 - emptyAtMost) + pageBytes * (1 + sparesAtMost), pageBytes)
  }

  /** What all pages take, empty or not. */
  get room(): number {
    return this.#count * pageBytes
  }

  /** A tag of ASCII and what it is the tag of, which is no longer than `packedAtMost`. */
  put(row: number, tag: string, body: Uint8Array): void {
    const length = tag.length + body.length
    const page = this.#pageFor(length)
    page.bytes.write(tag, page.end, 'latin1')
    page.bytes.set(body, page.end + tag.length)
    this.#place(row, page, length)
    this.#used += length
  }

  /** The page in which the bytes of a row are. */
  pageOf(row: number): Buffer {
    const page = this.#pages[this.#rows.get(row, column.page)]
    if (page === undefined) throw new Error('this row has no bytes')
    return page.bytes
  }

  /** They are overwritten, and their place is free. */
  take(row: number): void {
    const page = this.#pages[this.#rows.get(row, column.page)]
    if (page === undefined) return
    const at = this.#rows.get(row, column.at)
    const length = this.#rows.get(row, column.bytes)
    this.#rows.set(row, column.page, 0)
    page.bytes.fill(0, at, at + length)
    page.used -= length
    this.#used -= length
    if (page.used === 0 && page !== this.#last) this.#giveUp(page)
    while (this.room - this.#used > this.room * emptyAtMost + pageBytes) this.#moveEmptiest()
  }

  #place(row: number, page: Page, length: number): void {
    this.#rows.set(row, column.page, page.number)
    this.#rows.set(row, column.at, page.end)
    this.#rows.set(row, column.bytes, length)
    page.rows.push(row)
    page.end += length
    page.used += length
  }

  #moveEmptiest(): void {
    let emptiest: Page | undefined
    for (const page of this.#pages) {
      if (page === undefined || page === this.#last) continue
      if (emptiest === undefined || page.used < emptiest.used) emptiest = page
    }
    if (emptiest === undefined) return
    for (const row of emptiest.rows) {
      if (this.#rows.get(row, column.page) !== emptiest.number) continue
      const at = this.#rows.get(row, column.at)
      const length = this.#rows.get(row, column.bytes)
      const page = this.#pageFor(length)
      emptiest.bytes.copy(page.bytes, page.end, at, at + length)
      this.#place(row, page, length)
    }
    emptiest.bytes.fill(0)
    this.#giveUp(emptiest)
  }

  #pageFor(length: number): Page {
    if (this.#last !== undefined && this.#last.end + length <= pageBytes) return this.#last
    const page = this.#spares.pop() ?? new Page(this.#freeNumbers.pop() ?? this.#pages.length, this.#reserve.take())
    this.#pages[page.number] = page
    this.#count++
    this.#last = page
    return page
  }

  #giveUp(page: Page): void {
    this.#pages[page.number] = undefined
    this.#count--
    page.rows = []
    page.end = 0
    page.used = 0
    if (this.#spares.length < sparesAtMost) {
      this.#spares.push(page)
      return
    }
    this.#freeNumbers.push(page.number)
    this.#reserve.giveBack(page.room)
  }
}
