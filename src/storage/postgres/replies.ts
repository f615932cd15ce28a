import { EventEmitter } from 'node:events'
import type { Bytes } from '../../domain/bytes.ts'

const rowCode = 'D'.charCodeAt(0)
/** The code of a message, and the length of all that comes after the code. */
const headBytes = 5
/** Before each column, and before all of them. */
const lengthBytes = 4
const countBytes = 2

/** Nothing where the database has none. */
export type Text = string | null

/** One row as the server sent it, to be read before the next one comes. */
export class Row {
  readonly name = 'dataRow'
  readonly #bytes: Buffer<ArrayBuffer>
  readonly #isOwn: boolean

  /** `isOwn` when nothing else is in this piece of memory. */
  constructor(bytes: Buffer<ArrayBuffer>, isOwn: boolean) {
    this.#bytes = bytes
    this.#isOwn = isOwn
  }

  /** The texts of its columns, as the driver asks for them. */
  get fields(): Text[] {
    return this.texts(0)
  }

  /** The texts of its columns from this one on. */
  texts(first: number): Text[] {
    const texts: Text[] = []
    const count = this.#bytes.readUInt16BE(0)
    let end = countBytes
    for (let index = 0; index < count; index++) {
      const start = end + lengthBytes
      const length = this.#bytes.readInt32BE(end)
      end = start + Math.max(length, 0)
      if (index >= first) texts.push(length === -1 ? null : this.#bytes.toString('utf8', start, end))
    }
    return texts
  }

  /** The first column, which is not null, as bytes that stay. */
  get first(): Bytes {
    const start = countBytes + lengthBytes
    const field = this.#bytes.subarray(start, start + this.#bytes.readInt32BE(countBytes))
    return this.#isOwn ? field : new Uint8Array(field)
  }
}

/** The side of the driver that reads. */
export interface ReadingSide {
  attachListeners(stream: EventEmitter): void
  emit(event: 'dataRow', row: Row): void
}

/** Has a connection read its rows here; whatever else the server says, the driver reads as ever. */
export function readRowsOf(wire: ReadingSide): void {
  const attach = wire.attachListeners.bind(wire)
  wire.attachListeners = (stream) => {
    const others = new EventEmitter()
    attach(others)
    const replies = new Replies(
      (row) => wire.emit('dataRow', row),
      (bytes) => others.emit('data', bytes),
    )
    stream.on('data', (chunk: Buffer<ArrayBuffer>) => replies.take(chunk))
  }
}

/** Takes the rows out of what a server sends. A message that comes in pieces is put together once, whatever its size. */
export class Replies {
  readonly #row: (row: Row) => void
  readonly #others: (bytes: Buffer) => void
  /** Of a message that has not come whole: all its room once its length is known, and how much of it there is. */
  #begun: Buffer<ArrayBuffer> | undefined
  #filled = 0

  constructor(row: (row: Row) => void, others: (bytes: Buffer) => void) {
    this.#row = row
    this.#others = others
  }

  take(chunk: Buffer<ArrayBuffer>): void {
    const rest = this.#begun === undefined ? chunk : this.#goOn(this.#begun, chunk)
    if (rest.length > 0) this.#whole(rest)
  }

  /** Gives what belongs to the next messages. */
  #goOn(begun: Buffer<ArrayBuffer>, chunk: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
    if (begun.length < headBytes) {
      this.#begun = undefined
      return Buffer.concat([begun, chunk])
    }
    const taken = chunk.copy(begun, this.#filled)
    this.#filled += taken
    if (this.#filled === begun.length) {
      this.#begun = undefined
      if (begun[0] === rowCode) this.#row(new Row(begun.subarray(headBytes), true))
      else this.#others(begun)
    }
    return chunk.subarray(taken)
  }

  /** Messages that have come whole, and at the end perhaps one that has not. */
  #whole(chunk: Buffer<ArrayBuffer>): void {
    let at = 0
    let others = 0
    const passOn = () => {
      if (others < at) this.#others(chunk.subarray(others, at))
    }
    for (;;) {
      const end = endOf(chunk, at)
      if (end === undefined || end > chunk.length) break
      if (chunk[at] === rowCode) {
        passOn()
        this.#row(new Row(chunk.subarray(at + headBytes, end), false))
        others = end
      }
      at = end
    }
    passOn()
    if (at < chunk.length) this.#begin(chunk.subarray(at))
  }

  #begin(start: Buffer): void {
    this.#begun = Buffer.allocUnsafeSlow(endOf(start, 0) ?? start.length)
    this.#filled = start.copy(this.#begun)
  }
}

/** Where the message ends that begins here, when that has come. */
function endOf(chunk: Buffer, at: number): number | undefined {
  return chunk.length - at < headBytes ? undefined : at + 1 + chunk.readUInt32BE(at + 1)
}
