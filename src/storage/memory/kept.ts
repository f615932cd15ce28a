import { etagOf } from '../../domain/representation.ts'
import { Pages, packedAtMost } from './pages.ts'
import { KeptAnswer, type ReadyAnswer, type Shelf } from './ready-answer.ts'
import { Ring } from './ring.ts'
import { column, Rows, rowBytes } from './rows.ts'
import { squeeze, stretch } from './squeeze.ts'

const tagBytes = etagOf('').length
/** The row's place in a page, among all and in the list of shelves; and its share of what is empty in pages. */
const placesBytes = 24
/** What an answer takes beside its body. */
export const overheadBytes = tagBytes + rowBytes + placesBytes

/** The answers that are at hand, told by their rows. */
export class Kept {
  readonly #rows = new Rows()
  readonly #ring = new Ring(this.#rows)
  readonly #pages: Pages
  /** By row. */
  readonly #shelves: (Shelf | undefined)[] = [undefined]
  /** Bodies that are too large for a page, and what others are in encodings that were asked for; both are few. */
  readonly #large = new Map<number, ReadyAnswer>()
  readonly #encoded = new Map<number, Map<string, Buffer>>()
  #bytes = 0

  /** For so many bytes in all. */
  constructor(limitBytes: number) {
    this.#pages = new Pages(this.#rows, limitBytes)
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#ring.size
  }

  find(shelf: Shelf, slot: number): number {
    let row = shelf.answers
    while (row !== 0 && this.#rows.get(row, column.slot) !== slot) row = this.#rows.get(row, column.next)
    return row
  }

  slotsOn(shelf: Shelf): number[] {
    const slots: number[] = []
    for (let row = shelf.answers; row !== 0; row = this.#rows.get(row, column.next)) slots.push(this.slotOf(row))
    return slots
  }

  /** It is as good as used, or the hand would take it away before what was used long ago. */
  add(answer: ReadyAnswer, isToBeSqueezed: boolean): void {
    const { shelf, slot, length, etag } = answer
    const row = this.#rows.take()
    const body = (isToBeSqueezed ? squeeze(answer.body) : undefined) ?? answer.body
    if (body.length <= packedAtMost) this.#pages.put(row, etag, body)
    else this.#putLarge(row, answer)
    this.#rows.set(row, column.slot, slot)
    this.#rows.set(row, column.length, length)
    this.#rows.set(row, column.used, 1)
    this.#rows.set(row, column.next, shelf.answers)
    this.#shelves[row] = shelf
    shelf.answers = row
    this.#ring.add(row)
    this.#bytes += body.length + overheadBytes
  }

  remove(row: number): void {
    this.#unlink(row)
    this.#ring.remove(row)
    this.#bytes -= this.#rows.get(row, column.bytes) - tagBytes + overheadBytes
    for (const { length } of this.encodedOf(row)?.values() ?? []) this.#bytes -= length
    this.#pages.take(row)
    this.#shelves[row] = undefined
    this.#large.delete(row)
    this.#encoded.delete(row)
    this.#rows.giveBack(row)
  }

  /** Whether it takes fewer bytes now. */
  squeeze(row: number): boolean {
    if (this.#isSqueezed(row)) return false
    const etag = this.etagOf(row)
    const body = squeeze(this.bodyOf(row))
    if (body === undefined) return false
    this.#pages.take(row)
    this.#pages.put(row, etag, body)
    this.#bytes -= this.lengthOf(row) - body.length
    return true
  }

  addEncoded(row: number, encoding: string, encoded: Buffer): void {
    const all = this.#encoded.get(row) ?? new Map<string, Buffer>()
    if (all.has(encoding)) return
    all.set(encoding, encoded)
    this.#encoded.set(row, all)
    this.#bytes += encoded.length
  }

  /** The hand moves on, and comes to one that was not used since it last came by; there must be one. */
  unused(): number {
    for (;;) {
      const row = this.#ring.next()
      if (this.#rows.get(row, column.used) === 0) return row
      this.#rows.set(row, column.used, 0)
    }
  }

  use(row: number): KeptAnswer {
    this.#rows.set(row, column.used, 1)
    return this.show(row)
  }

  show(row: number): KeptAnswer {
    return new KeptAnswer(this, row)
  }

  /** Changes when the row becomes another's. */
  tenantOf(row: number): number {
    return this.#rows.get(row, column.tenant)
  }

  shelfOf(row: number): Shelf {
    return this.#shelves[row] as Shelf
  }

  slotOf(row: number): number {
    return this.#rows.get(row, column.slot)
  }

  lengthOf(row: number): number {
    return this.#rows.get(row, column.length)
  }

  etagOf(row: number): string {
    const large = this.#largeIn(row)
    if (large !== undefined) return large.etag
    const at = this.#rows.get(row, column.at)
    return this.#pages.pageOf(row).toString('latin1', at, at + tagBytes)
  }

  bodyOf(row: number): Buffer {
    const large = this.#largeIn(row)
    if (large !== undefined) return large.body
    const at = this.#rows.get(row, column.at)
    const begin = at + tagBytes
    const end = at + this.#rows.get(row, column.bytes)
    const page = this.#pages.pageOf(row)
    return this.#isSqueezed(row) ? stretch(page, begin, end) : page.subarray(begin, end)
  }

  encodedOf(row: number): Map<string, Buffer> | undefined {
    return this.#encoded.get(row)
  }

  #isSqueezed(row: number): boolean {
    return this.#rows.get(row, column.bytes) - tagBytes < this.lengthOf(row)
  }

  #putLarge(row: number, answer: ReadyAnswer): void {
    this.#large.set(row, answer)
    this.#rows.set(row, column.page, 0)
    this.#rows.set(row, column.bytes, tagBytes + answer.length)
  }

  #largeIn(row: number): ReadyAnswer | undefined {
    return this.#rows.get(row, column.page) === 0 ? this.#large.get(row) : undefined
  }

  #unlink(row: number): void {
    const shelf = this.shelfOf(row)
    const next = this.#rows.get(row, column.next)
    if (shelf.answers === row) {
      shelf.answers = next
      return
    }
    let before = shelf.answers
    while (this.#rows.get(before, column.next) !== row) before = this.#rows.get(before, column.next)
    this.#rows.set(before, column.next, next)
  }
}
