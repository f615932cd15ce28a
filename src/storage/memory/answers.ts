import { etagOf } from '../../domain/representation.ts'
import type { Figures } from './remembered.ts'

/** The bytes of an answer with their tag, ready to be written to a socket. */
export interface KeptAnswer {
  readonly etag: string
  /** A small body as a string of one character per byte, which Node writes together with the head. */
  readonly body: string | Buffer
  readonly length: number
  /** The lines of a head that say what this body is, once they were made. */
  lines: string | undefined
  /** The same in the encodings that were asked for. */
  encoded: Map<string, Buffer> | undefined
  used: boolean
  bytes: number
  readonly shelf: Shelf
  readonly slot: number
}

/** Where the answers about one thing stand, each in its slot. */
export interface Shelf {
  answers: KeptAnswer[]
}

const asStringBytes = 16_384
/** What an answer takes beside its body: the object, its tag and its place in two collections. */
const overheadBytes = 400

/** All answers of a node, bounded by their bytes; those not used since the last sweep go first. */
export class Answers {
  readonly #all = new Set<KeptAnswer>()
  readonly #limitBytes: number
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
    for (const answer of answers) {
      if (answer.slot !== slot) continue
      answer.used = true
      this.#hits++
      return answer
    }
    this.#misses++
    return undefined
  }

  keep(shelf: Shelf, slot: number, json: string): KeptAnswer {
    this.drop(shelf, slot)
    const answer = prepare(shelf, slot, json)
    shelf.answers.push(answer)
    this.#all.add(answer)
    this.#bytes += answer.bytes
    if (this.#bytes > this.#limitBytes) this.#sweep()
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
    const dropped = shelf.answers.filter((answer) => slot === undefined || answer.slot === slot)
    for (const answer of dropped) this.#remove(answer)
  }

  #remove(answer: KeptAnswer): void {
    this.#all.delete(answer)
    this.#bytes -= answer.bytes
    const { answers } = answer.shelf
    answers.splice(answers.indexOf(answer), 1)
  }

  #sweep(): void {
    for (const answer of this.#all) {
      if (answer.used) {
        answer.used = false
        this.#all.delete(answer)
        this.#all.add(answer)
      } else this.#remove(answer)
      if (this.#bytes <= this.#limitBytes) return
    }
  }
}

/** An answer that is not kept has the same shape. */
export function prepare(shelf: Shelf, slot: number, json: string): KeptAnswer {
  const bytes = Buffer.from(json)
  const { length } = bytes
  return {
    etag: etagOf(bytes),
    body: length <= asStringBytes ? bytes.toString('latin1') : bytes,
    length,
    lines: undefined,
    encoded: undefined,
    used: false,
    bytes: length + overheadBytes,
    shelf,
    slot,
  }
}
