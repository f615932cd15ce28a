import { etagOf } from '../../domain/representation.ts'
import type { Figures } from './remembered.ts'

/** Of an answer, with the length of its body. */
export interface Tag {
  readonly etag: string
  readonly length: number
}

/** What answers a request with `If-None-Match` when nothing has changed. */
export interface TagAlone extends Tag {
  readonly body: undefined
  readonly encoded: undefined
}

const lengthAt = 8
const etagAt = 12
const etagBytes = etagOf('').length
const entryBytes = etagAt + etagBytes
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

  get(id: number): TagAlone | undefined {
    const at = this.#find(id)
    if (at === undefined) {
      this.#misses++
      return undefined
    }
    this.#hits++
    const etag = this.#entries.toString('latin1', at + etagAt, at + etagAt + etagBytes)
    return { etag, length: this.#entries.readUInt32LE(at + lengthAt), body: undefined, encoded: undefined }
  }

  note(id: number, { etag, length }: Tag): void {
    if (this.#places === 0) return
    const at = this.#placeOf(id)
    if (this.#entries.readDoubleLE(at) === 0) this.#noted++
    this.#entries.writeDoubleLE(id, at)
    this.#entries.writeUInt32LE(length, at + lengthAt)
    this.#entries.write(etag, at + etagAt, 'latin1')
  }

  forget(id: number): void {
    const at = this.#find(id)
    if (at === undefined) return
    this.#entries.fill(0, at, at + entryBytes)
    this.#noted--
  }

  #find(id: number): number | undefined {
    if (this.#noted === 0) return undefined
    const at = this.#placeOf(id)
    return this.#entries.readDoubleLE(at) === id ? at : undefined
  }

  #placeOf(id: number): number {
    return (id % this.#places) * entryBytes
  }
}
