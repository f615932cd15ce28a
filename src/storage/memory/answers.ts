import { asBuffer, type Bytes } from '../../domain/bytes.ts'
import { etagOf } from '../../domain/representation.ts'
import { Door } from './door.ts'
import type { Figures } from './remembered.ts'

/** The bytes of an answer with their tag, ready to be written to a socket. */
export interface KeptAnswer {
  readonly etag: string
  /** A small body as a string of one character per byte, which Node writes together with the head. */
  readonly body: string | Buffer
  readonly length: number
  /** The same in the encodings that were asked for. */
  encoded: Map<string, Buffer> | undefined
  used: boolean
  bytes: number
  readonly shelf: Shelf
  readonly slot: number
  /** On the same shelf. */
  next: KeptAnswer | undefined
}

/** JSON as text, or as bytes that nobody changes. */
export type Body = string | Bytes

/** Where the answers about one thing stand, each in its slot: the first, which knows the next. */
export interface Shelf {
  answers: KeptAnswer | undefined
}

export function answersOn({ answers }: Shelf): KeptAnswer[] {
  const found: KeptAnswer[] = []
  for (let answer = answers; answer !== undefined; answer = answer.next) found.push(answer)
  return found
}

const asStringBytes = 16_384
/** What an answer takes beside its body: the object, its tag and its place among all. */
const overheadBytes = 200

/** All answers of a node, bounded by their bytes; those not used since the hand last came by go first. */
export class Answers {
  readonly #all = new Set<KeptAnswer>()
  readonly #limitBytes: number
  readonly #door = new Door()
  #hand = this.#all.values()
  #bytes = 0
  #hits = 0
  #misses = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
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

  keep(shelf: Shelf, slot: number, body: Body): KeptAnswer {
    this.drop(shelf, slot)
    const answer = prepare(shelf, slot, body)
    const isFull = this.#bytes + answer.bytes > this.#limitBytes
    if (isFull && !this.#door.admits()) return answer
    answer.next = shelf.answers
    shelf.answers = answer
    this.#all.add(answer)
    this.#bytes += answer.bytes
    // The hand may stand just before it, and would take it away at once: it stays until the hand comes by again.
    answer.used = isFull
    if (isFull) this.#sweep()
    return answer
  }

  keepEncoded(answer: KeptAnswer, encoding: string, encoded: Buffer): void {
    if (!this.#all.has(answer) || answer.encoded?.has(encoding)) return
    answer.encoded ??= new Map()
    answer.encoded.set(encoding, encoded)
    answer.bytes += encoded.length
    this.#bytes += encoded.length
    if (this.#bytes > this.#limitBytes) this.#sweep()
  }

  /** One slot, or all of them. */
  drop(shelf: Shelf, slot?: number): void {
    for (const answer of answersOn(shelf)) if (slot === undefined || answer.slot === slot) this.#remove(answer)
  }

  #remove(answer: KeptAnswer): void {
    this.#all.delete(answer)
    this.#bytes -= answer.bytes
    const others = answersOn(answer.shelf).filter((other) => other !== answer)
    answer.shelf.answers = others.reduceRight<KeptAnswer | undefined>((next, other) => {
      other.next = next
      return other
    }, undefined)
  }

  #sweep(): void {
    while (this.#bytes > this.#limitBytes) {
      const { done, value: answer } = this.#hand.next()
      if (done) this.#hand = this.#all.values()
      else if (answer.used) answer.used = false
      else this.#remove(answer)
    }
  }
}

/** An answer that is not kept has the same shape. */
export function prepare(shelf: Shelf, slot: number, body: Body): KeptAnswer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : asBuffer(body)
  const { length } = bytes
  return {
    etag: etagOf(bytes),
    body: length <= asStringBytes ? bytes.toString('latin1') : bytes,
    length,
    encoded: undefined,
    used: false,
    bytes: length + overheadBytes,
    shelf,
    slot,
    next: undefined,
  }
}
