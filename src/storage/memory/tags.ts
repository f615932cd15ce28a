import { checkOf } from '../../domain/bytes.ts'
import { etagOf } from '../../domain/representation.ts'
import type { Figures } from './remembered.ts'

/** Of an answer, with the length of its body. */
export interface Tag {
  readonly etag: string
  readonly length: number
}

/** Of what an answer is about: only facilities have numbers, and only they have tags here. */
type Id = number | string

/** What answers a request with `If-None-Match` when nothing has changed. */
export interface TagAlone extends Tag {
  readonly body: undefined
  readonly encoded: undefined
}

/** An entry: the number, the length, the check of the body, and the tag without its quotes. */
const idBytes = 6
const lengthAt = idBytes
const checkAt = lengthAt + 4
const etagAt = checkAt + 4
const entryBytes = etagAt + etagOf('').length - 2
/** The table is there as a whole from the beginning, however much memory is allowed. */
const placesAtMost = 2 ** 22

/**
 * The tags of answers whose bodies had to go: whoever asks again mostly wants to know whether something has changed. Each
 * has its place by the number, from 1 on, of what it is about; another may take it over.
 */
export class Tags {
  readonly #entries: Buffer
  readonly #places: number
  #noted = 0
  #hits = 0
  #misses = 0

  constructor(limitBytes: number) {
    this.#places = Math.min(Math.floor(limitBytes / entryBytes), placesAtMost)
    this.#entries = Buffer.alloc(this.#places * entryBytes)
  }

  get figures(): Figures {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#noted * entryBytes, entries: this.#noted }
  }

  get(id: Id): TagAlone | undefined {
    const at = this.#find(id)
    if (at === undefined) {
      this.#misses++
      return undefined
    }
    this.#hits++
    return {
      etag: this.#etagAt(at),
      length: this.#entries.readUInt32LE(at + lengthAt),
      body: undefined,
      encoded: undefined,
    }
  }

  /**
   * The tag of a body that was made again, which takes a fifth of the time of making it. The body is compared with the
   * one that had to go: somebody else may have changed it a moment ago, which nobody here knows yet.
   */
  ofSame(id: Id, body: Uint8Array): string | undefined {
    const at = this.#find(id)
    if (at === undefined || this.#entries.readUInt32LE(at + lengthAt) !== body.length) return undefined
    return this.#entries.readUInt32LE(at + checkAt) === checkOf(body) ? this.#etagAt(at) : undefined
  }

  note(id: Id, etag: string, body: Uint8Array): void {
    if (this.#places === 0 || typeof id !== 'number') return
    const at = this.#placeOf(id)
    if (this.#entries.readUIntLE(at, idBytes) === 0) this.#noted++
    this.#entries.writeUIntLE(id, at, idBytes)
    this.#entries.writeUInt32LE(body.length, at + lengthAt)
    this.#entries.writeUInt32LE(checkOf(body), at + checkAt)
    this.#entries.write(etag.slice(1, -1), at + etagAt, 'latin1')
  }

  forget(id: Id): void {
    const at = this.#find(id)
    if (at === undefined) return
    this.#entries.fill(0, at, at + entryBytes)
    this.#noted--
  }

  #find(id: Id): number | undefined {
    if (this.#noted === 0 || typeof id !== 'number') return undefined
    const at = this.#placeOf(id)
    return this.#entries.readUIntLE(at, idBytes) === id ? at : undefined
  }

  #etagAt(at: number): string {
    return `"${this.#entries.toString('latin1', at + etagAt, at + entryBytes)}"`
  }

  #placeOf(id: number): number {
    return (id % this.#places) * entryBytes
  }
}
