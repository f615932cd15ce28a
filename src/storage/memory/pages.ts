import { Reserve, type Room } from './reserve.ts'

const pageBytes = 1024 * 1024
/** What does not fit behind the others leaves the end of a page empty. */
export const packedAtMost = pageBytes / 16
/** Of all the room that pages have, as much may be empty before what is left in one of them is moved. More than such ends. */
const emptyAtMost = 0.1
/** Empty pages that are kept for what comes next. */
const sparesAtMost = 2

/** Has some bytes in a page, or none. */
export interface Packed {
  readonly packedBytes: number
  page: Page | undefined
  at: number
}

export class Page {
  readonly room: Room
  readonly bytes: Buffer
  /** All that was put here, also what is elsewhere by now. */
  packed: Packed[] = []
  end = 0
  used = 0

  constructor(room: Room) {
    this.room = room
    this.bytes = room.bytes
  }
}

/**
 * Bytes that stand one behind the other outside of V8's heap, where what goes would leave holes among what stays. The
 * page that is emptiest is given up when too much of all pages is empty, and what is left in it moves to the last one.
 */
export class Pages {
  readonly #pages = new Set<Page>()
  readonly #spares: Page[] = []
  readonly #reserve: Reserve
  #last: Page | undefined
  #used = 0

  /** For so many bytes in all. */
  constructor(limitBytes: number) {
    this.#reserve = new Reserve(limitBytes / (1 - emptyAtMost) + pageBytes * (1 + sparesAtMost), pageBytes)
  }

  /** What all pages take, empty or not. */
  get room(): number {
    return this.#pages.size * pageBytes
  }

  /** A tag of ASCII and what it is the tag of, which is no longer than `packedAtMost`. */
  put(packed: Packed, tag: string, body: Buffer): void {
    const page = this.#pageFor(packed.packedBytes)
    page.bytes.write(tag, page.end, 'latin1')
    page.bytes.set(body, page.end + tag.length)
    this.#place(packed, page)
    this.#used += packed.packedBytes
  }

  /** They are overwritten, and their place is free. */
  take(packed: Packed): void {
    const { page, at, packedBytes } = packed
    if (page === undefined) return
    packed.page = undefined
    page.bytes.fill(0, at, at + packedBytes)
    page.used -= packedBytes
    this.#used -= packedBytes
    if (page.used === 0 && page !== this.#last) this.#giveUp(page)
    while (this.room - this.#used > this.room * emptyAtMost + pageBytes) this.#moveEmptiest()
  }

  #place(packed: Packed, page: Page): void {
    packed.page = page
    packed.at = page.end
    page.packed.push(packed)
    page.end += packed.packedBytes
    page.used += packed.packedBytes
  }

  #moveEmptiest(): void {
    let emptiest: Page | undefined
    for (const page of this.#pages) {
      if (page !== this.#last && (emptiest === undefined || page.used < emptiest.used)) emptiest = page
    }
    if (emptiest === undefined) return
    for (const packed of emptiest.packed) {
      if (packed.page !== emptiest) continue
      const page = this.#pageFor(packed.packedBytes)
      emptiest.bytes.copy(page.bytes, page.end, packed.at, packed.at + packed.packedBytes)
      this.#place(packed, page)
    }
    emptiest.bytes.fill(0)
    this.#giveUp(emptiest)
  }

  #pageFor(length: number): Page {
    if (this.#last !== undefined && this.#last.end + length <= pageBytes) return this.#last
    const page = this.#spares.pop() ?? new Page(this.#reserve.take())
    this.#pages.add(page)
    this.#last = page
    return page
  }

  #giveUp(page: Page): void {
    this.#pages.delete(page)
    page.packed = []
    page.end = 0
    page.used = 0
    if (this.#spares.length < sparesAtMost) this.#spares.push(page)
    else this.#reserve.giveBack(page.room)
  }
}
