import { asBuffer, type Bytes, hasOwnMemory } from '../../domain/bytes.ts'
import { etagOf } from '../../domain/representation.ts'
import { Door } from './door.ts'
import { type Packed, type Page, Pages, packedAtMost } from './pages.ts'
import type { Figures } from './remembered.ts'
import { type Linked, Ring } from './ring.ts'
import { overwrite, squeeze, stretch } from './squeeze.ts'
import type { Tag, TagAlone, Tags } from './tags.ts'

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

const tagBytes = etagOf('').length
/** What an answer takes beside its body: the object, its tag and its place among all. */
const overheadBytes = 160
/** In a full memory all up to this length are squeezed; to squeeze larger ones takes long, so they must have come back. */
const alwaysSqueezedUpTo = 8192

/**
 * One that is kept. Its tag and its body stand in a page, where they are moved and overwritten, or are stretched where all
 * others are: whoever has to wait before they are written holds them himself.
 */
export class KeptAnswer implements ReadyAnswer, Packed, Linked<KeptAnswer> {
  readonly shelf: Shelf
  readonly slot: number
  readonly length: number
  readonly isOwn = false
  encoded: Map<string, Buffer> | undefined
  /** Who comes is as good as used, or the hand would take it away before what was used long ago. */
  used = true
  /** On the same shelf. */
  next: KeptAnswer | undefined
  before: KeptAnswer | undefined
  after: KeptAnswer | undefined
  page: Page | undefined
  at = 0
  /** Where its body is too large for a page. */
  readonly #large: ReadyAnswer | undefined
  /** What its body takes; less than its length when it is squeezed. */
  readonly #bodyBytes: number

  constructor(answer: ReadyAnswer, pages: Pages, isToBeSqueezed: boolean) {
    const { shelf, slot, length, etag } = answer
    this.shelf = shelf
    this.slot = slot
    this.length = length
    const body = (isToBeSqueezed ? squeeze(answer.body) : undefined) ?? answer.body
    this.#bodyBytes = body.length
    if (body.length <= packedAtMost) pages.put(this, etag, body)
    else this.#large = answer
  }

  get packedBytes(): number {
    return tagBytes + this.#bodyBytes
  }

  get bytes(): number {
    let sum = this.#bodyBytes + overheadBytes
    for (const { length } of this.encoded?.values() ?? []) sum += length
    return sum
  }

  get etag(): string {
    return this.#large?.etag ?? this.#bytes.toString('latin1', this.at, this.at + tagBytes)
  }

  get body(): Buffer {
    if (this.#large !== undefined) return this.#large.body
    const begin = this.at + tagBytes
    const end = begin + this.#bodyBytes
    return this.#bodyBytes < this.length ? stretch(this.#bytes, begin, end) : this.#bytes.subarray(begin, end)
  }

  /** The same for those who wait. */
  held(): ReadyAnswer {
    const { shelf, slot, length, etag, encoded } = this
    return { shelf, slot, length, etag, body: this.#large?.body ?? Buffer.from(this.body), isOwn: false, encoded }
  }

  get #bytes(): Buffer {
    if (this.page === undefined) throw new Error('an answer was used after it had been forgotten')
    return this.page.bytes
  }
}

/** JSON as text, or as bytes that nobody changes. */
export type Body = string | Bytes

/** Where the answers about one thing stand, each in its slot: the first, which knows the next. */
export interface Shelf {
  /** What the answers are about. */
  readonly id: number | string
  answers: KeptAnswer | undefined
}

export function answersOn({ answers }: Shelf): KeptAnswer[] {
  const found: KeptAnswer[] = []
  for (let answer = answers; answer !== undefined; answer = answer.next) found.push(answer)
  return found
}

/** All answers of a node, bounded by their bytes; those not used since the hand last came by go first. */
export class Answers {
  readonly #all = new Ring<KeptAnswer>()
  readonly #limitBytes: number
  readonly #door = new Door(() => this.#all.size)
  readonly #pages: Pages
  /** By slot, for what is about facilities. */
  readonly #tags: ReadonlyMap<number, Tags>
  #bytes = 0
  #hits = 0
  #misses = 0

  constructor(limitBytes: number, tags: ReadonlyMap<number, Tags> = new Map()) {
    this.#limitBytes = limitBytes
    this.#pages = new Pages(limitBytes)
    this.#tags = tags
  }

  get figures(): Figures {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#bytes, entries: this.#all.size }
  }

  get({ answers }: Shelf, slot: number): KeptAnswer | undefined {
    for (let answer = answers; answer !== undefined; answer = answer.next) {
      if (answer.slot !== slot) continue
      answer.used = true
      this.#hits++
      return answer
    }
    this.#misses++
    return undefined
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
    for (const earlier of answersOn(shelf)) if (earlier.slot === slot) this.#remove(earlier)
    const isFull = this.#bytes + answer.length + overheadBytes > this.#limitBytes
    const admission = isFull ? this.#door.admits(nameOf(answer)) : 'new'
    if (admission === undefined) {
      if (known === undefined) this.#noteTag(answer)
      return answer
    }
    tags?.forget(shelf.id)
    const isWorthTheTime = answer.length <= alwaysSqueezedUpTo || admission === 'known'
    const kept = new KeptAnswer(answer, this.#pages, isFull && isWorthTheTime)
    kept.next = shelf.answers
    shelf.answers = kept
    this.#all.add(kept)
    this.#bytes += kept.bytes
    if (isFull) this.#sweep()
    return answer
  }

  /** Not if it was forgotten meanwhile. */
  keepEncoded({ shelf, slot, etag }: ReadyAnswer, encoding: string, encoded: Buffer): void {
    const kept = answersOn(shelf).find((answer) => answer.slot === slot && answer.etag === etag)
    if (kept === undefined || kept.encoded?.has(encoding)) return
    kept.encoded ??= new Map()
    kept.encoded.set(encoding, encoded)
    this.#bytes += encoded.length
    if (this.#bytes > this.#limitBytes) this.#sweep()
  }

  /** One slot, or all of them: what they said is overwritten in its page, and where it was last stretched. */
  drop(shelf: Shelf, slot?: number): void {
    overwrite()
    for (const answer of answersOn(shelf)) if (slot === undefined || answer.slot === slot) this.#remove(answer)
    if (slot !== undefined) this.#tags.get(slot)?.forget(shelf.id)
    else for (const tags of this.#tags.values()) tags.forget(shelf.id)
  }

  #noteTag({ shelf, slot, etag, body }: ReadyAnswer): void {
    this.#tags.get(slot)?.note(shelf.id, etag, body)
  }

  #remove(answer: KeptAnswer): void {
    this.#all.remove(answer)
    this.#pages.take(answer)
    this.#bytes -= answer.bytes
    // Its page may know it for some time yet.
    answer.encoded = undefined
    const others = answersOn(answer.shelf).filter((other) => other !== answer)
    answer.shelf.answers = others.reduceRight<KeptAnswer | undefined>((next, other) => {
      other.next = next
      return other
    }, undefined)
  }

  #sweep(): void {
    while (this.#bytes > this.#limitBytes) {
      const answer = this.#all.next() as KeptAnswer
      if (answer.used) {
        answer.used = false
        continue
      }
      this.#door.left(nameOf(answer))
      this.#noteTag(answer)
      this.#remove(answer)
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
