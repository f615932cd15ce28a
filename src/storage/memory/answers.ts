import { asBuffer, type Bytes, hasOwnMemory } from '../../domain/bytes.ts'
import { etagOf } from '../../domain/representation.ts'
import { Door } from './door.ts'
import { Kept, overheadBytes } from './kept.ts'
import { packedAtMost } from './pages.ts'
import type { KeptAnswer, ReadyAnswer, Shelf } from './ready-answer.ts'
import type { Figures } from './remembered.ts'
import { overwrite } from './squeeze.ts'
import type { TagAlone, Tags } from './tags.ts'

/** When so much of what is allowed is used, who comes is squeezed. */
const tightFrom = 0.9
/** All up to this length; to squeeze larger ones takes long, so they must have come back. */
const alwaysSqueezedUpTo = 8192

/** JSON as text, or as bytes that nobody changes. */
export type Body = string | Bytes

/** All answers of a node, bounded by their bytes; those not used since the hand last came by go first. */
export class Answers {
  readonly #kept: Kept
  readonly #limitBytes: number
  readonly #door = new Door(() => this.#kept.size)
  /** By slot, for what is about facilities. */
  readonly #tags: ReadonlyMap<number, Tags>
  #hits = 0
  #misses = 0

  constructor(limitBytes: number, tags: ReadonlyMap<number, Tags> = new Map()) {
    this.#limitBytes = limitBytes
    this.#kept = new Kept(limitBytes)
    this.#tags = tags
  }

  get figures(): Figures {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#kept.bytes, entries: this.#kept.size }
  }

  get(shelf: Shelf, slot: number): KeptAnswer | undefined {
    const row = this.#kept.find(shelf, slot)
    if (row === 0) return undefined
    this.#hits++
    return this.#kept.use(row)
  }

  /** One that is not at hand is about to be made. Whoever only looks may be content with a tag, or come back to make it. */
  miss(): void {
    this.#misses++
  }

  /** The tag of one that is still true and is not at hand. */
  tagOf({ id }: Shelf, slot: number): TagAlone | undefined {
    return this.#tags.get(slot)?.get(id)
  }

  keep(shelf: Shelf, slot: number, body: Body): ReadyAnswer {
    const bytes = bytesIn(body)
    const tags = this.#tags.get(slot)
    const known = tags?.ofSame(shelf.id, bytes)
    const answer = answerOf(shelf, slot, bytes, { etag: known ?? etagOf(bytes), isOwn: isOwn(body) })
    this.#removeFrom(shelf, slot)
    const bytesThen = this.#kept.bytes + answer.length + overheadBytes
    const admission = bytesThen > this.#limitBytes ? this.#door.admits(nameOf(answer)) : 'new'
    if (admission === undefined) {
      if (known === undefined) this.#noteTag(answer)
      return answer
    }
    tags?.forget(shelf.id)
    const isTight = bytesThen > this.#limitBytes * tightFrom
    this.#kept.add(answer, isTight && (answer.length <= alwaysSqueezedUpTo || admission === 'known'))
    this.#sweep()
    return answer
  }

  /** Not if it was forgotten meanwhile. */
  keepEncoded({ shelf, slot, etag }: ReadyAnswer, encoding: string, encoded: Buffer): void {
    const row = this.#kept.find(shelf, slot)
    if (row === 0 || this.#kept.etagOf(row) !== etag) return
    this.#kept.addEncoded(row, encoding, encoded)
    this.#sweep()
  }

  slotsOn(shelf: Shelf): number[] {
    return this.#kept.slotsOn(shelf)
  }

  /** One slot, or all of them: what they said is overwritten in its page, and where it was last stretched. */
  drop(shelf: Shelf, slot?: number): void {
    overwrite()
    for (const one of slot === undefined ? this.slotsOn(shelf) : [slot]) this.#removeFrom(shelf, one)
    if (slot !== undefined) this.#tags.get(slot)?.forget(shelf.id)
    else for (const tags of this.#tags.values()) tags.forget(shelf.id)
  }

  #removeFrom(shelf: Shelf, slot: number): void {
    const row = this.#kept.find(shelf, slot)
    if (row !== 0) this.#kept.remove(row)
  }

  #noteTag(answer: ReadyAnswer): void {
    this.#tags.get(answer.slot)?.note(answer.shelf.id, answer.etag, answer.body)
  }

  /** What was not squeezed when it came is now, and goes only when the hand finds it unused once more. */
  #sweep(): void {
    while (this.#kept.bytes > this.#limitBytes) {
      const row = this.#kept.unused()
      const answer = this.#kept.show(row)
      if (answer.length <= alwaysSqueezedUpTo && this.#kept.squeeze(row)) continue
      this.#door.left(nameOf(answer))
      this.#noteTag(answer)
      this.#kept.remove(row)
    }
  }
}

function nameOf({ shelf, slot }: ReadyAnswer): string {
  return `${shelf.id}/${slot}`
}

/** An answer that is not kept, or not yet. */
export function prepare(shelf: Shelf, slot: number, body: Body): ReadyAnswer {
  const bytes = bytesIn(body)
  return answerOf(shelf, slot, bytes, { etag: etagOf(bytes), isOwn: isOwn(body) })
}

function answerOf(shelf: Shelf, slot: number, body: Buffer, about: Pick<ReadyAnswer, 'etag' | 'isOwn'>): ReadyAnswer {
  return { shelf, slot, length: body.length, body, encoded: undefined, ...about }
}

/** What is too large for a page is kept as it is. */
function isOwn(body: Body): boolean {
  return typeof body !== 'string' && body.length <= packedAtMost && hasOwnMemory(body)
}

function bytesIn(body: Body): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : asBuffer(body)
}
