import type { Kept } from './kept.ts'
import { packedAtMost } from './pages.ts'
import type { Tag } from './tags.ts'

/** The bytes of an answer with their tag, ready to be written to a socket. */
export interface ReadyAnswer extends Tag {
  readonly shelf: Shelf
  readonly slot: number
  readonly body: Buffer
  /** Nobody else has these bytes, and their memory is theirs: whoever is done with them gives it back. */
  readonly isOwn: boolean
  /** The same in the encodings that were asked for. */
  readonly encoded: Map<string, Buffer> | undefined
}

/** Where the answers about one thing stand, each in its slot. */
export interface Shelf {
  /** What the answers are about. */
  readonly id: number | string
  /** The row of the first, which knows the next; 0 when there is none. */
  answers: number
}

/**
 * One that is kept. Its tag and its body stand in a page, where they are moved and overwritten, or are stretched where all
 * others are: whoever has to wait before they are written holds them himself.
 */
export class KeptAnswer implements ReadyAnswer {
  readonly isOwn = false
  readonly #kept: Kept
  readonly #row: number
  readonly #tenant: number

  constructor(kept: Kept, row: number) {
    this.#kept = kept
    this.#row = row
    this.#tenant = kept.tenantOf(row)
  }

  get shelf(): Shelf {
    return this.#kept.shelfOf(this.#mine)
  }

  get slot(): number {
    return this.#kept.slotOf(this.#mine)
  }

  get length(): number {
    return this.#kept.lengthOf(this.#mine)
  }

  get etag(): string {
    return this.#kept.etagOf(this.#mine)
  }

  get body(): Buffer {
    return this.#kept.bodyOf(this.#mine)
  }

  get encoded(): Map<string, Buffer> | undefined {
    return this.#kept.encodedOf(this.#mine)
  }

  /** The same for those who wait. */
  held(): ReadyAnswer {
    const { shelf, slot, length, etag, body, encoded } = this
    const own = body.length <= packedAtMost ? Buffer.from(body) : body
    return { shelf, slot, length, etag, body: own, isOwn: false, encoded }
  }

  /** Its row, as long as nobody else has it. */
  get #mine(): number {
    if (this.#kept.tenantOf(this.#row) === this.#tenant) return this.#row
    throw new Error('an answer was used after it had been forgotten')
  }
}
