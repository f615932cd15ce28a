import { isUtf8 } from 'node:buffer'
import { randomInt } from 'node:crypto'
import { type Bytes, bytesOf } from './bytes.ts'

/** What stands around that which differs from one entry to the next. */
export interface EntryFrame {
  /** Before the first entry. */
  head: string
  /** Before the short id of an entry, between it and the name, and behind the name. */
  beforeId: string
  beforeName: string
  afterName: string
  /** Behind the last entry. */
  tail: string
}

/** Where the entries of a list stand in its body. */
export interface PlainList {
  body: Uint8Array
  count: number
  /** Four numbers for each entry: where its id begins and ends, and where its name does. */
  places: Int32Array<ArrayBuffer>
}

const placesEach = 4
/** `{"id_external":"1","name":"A"}` */
const shortestBytes = 30
const idBytesAtMost = 64
const nameBytesAtMost = 255
/** Of such a body: an object, an array and its entries. */
const depth = 3

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
/** Begins U+0080 to U+00BF, of which the first half are control characters. */
const doubtful = 0xc2

const idBytes = tableOf((byte) => /[\w.-]/.test(String.fromCharCode(byte)) && byte < 0x80)
const nameBytes = tableOf((byte) => byte >= 0x20 && ![quote, 0x5c, 0x7f].includes(byte))

function tableOf(belongs: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(belongs(byte)))
}

/**
 * A body in the plainest form: an object with `value` alone, whose entries have an id of plain letters and a name, and
 * nothing escaped. It is read without an object and a text for each of its members, which V8 takes as long to collect as
 * to make. Nothing is refused here: what is anything else, sound or not, is for those who read any JSON.
 */
export function readPlainList(
  body: Uint8Array,
  { entries, jsonDepth }: { entries: number; jsonDepth: number },
): PlainList | undefined {
  return jsonDepth >= depth && isUtf8(body) ? new Reader(body).list(entries) : undefined
}

class Reader {
  readonly #body: Uint8Array
  readonly #places: Int32Array<ArrayBuffer>
  #at = 0

  constructor(body: Uint8Array) {
    this.#body = body
    this.#places = new Int32Array(placesEach * Math.ceil(body.length / shortestBytes))
  }

  list(entriesAtMost: number): PlainList | undefined {
    const begins = this.#sign(openBrace) && this.#key(valueKey) && this.#sign(openBracket)
    if (!begins) return undefined
    const count = this.#sign(closeBracket) ? 0 : this.#entries(entriesAtMost)
    if (count === undefined || !this.#sign(closeBrace)) return undefined
    this.#skipSpace()
    const list = { body: this.#body, count, places: this.#places }
    return this.#at === this.#body.length && !mayRepeatAnId(list) ? list : undefined
  }

  /** How many there are, up to the end of the array. */
  #entries(atMost: number): number | undefined {
    for (let count = 0; count < atMost; ) {
      if (!this.#entry(count++ * placesEach)) return undefined
      if (this.#sign(closeBracket)) return count
      if (!this.#sign(comma)) return undefined
    }
    return undefined
  }

  #entry(place: number): boolean {
    if (!this.#sign(openBrace)) return false
    const isWhole = this.#key(idKey)
      ? this.#id(place) && this.#sign(comma) && this.#key(nameKey) && this.#name(place)
      : this.#key(nameKey) && this.#name(place) && this.#sign(comma) && this.#key(idKey) && this.#id(place)
    return isWhole && this.#sign(closeBrace)
  }

  #id(place: number): boolean {
    return this.#text(place, idBytes, idBytesAtMost)
  }

  #name(place: number): boolean {
    return this.#text(place + 2, nameBytes, nameBytesAtMost)
  }

  #text(place: number, plain: Uint8Array, bytesAtMost: number): boolean {
    if (!this.#sign(quote)) return false
    const body = this.#body
    const from = this.#at
    let at = from
    // Past the end there is no byte, and none that belongs here.
    for (; plain[body[at] as number] === 1; at++) {
      if (body[at] === doubtful && (body[at + 1] as number) < 0xa0) return false
    }
    if (body[at] !== quote || at === from || at - from > bytesAtMost) return false
    this.#at = at + 1
    this.#places[place] = from
    this.#places[place + 1] = at
    return true
  }

  #key(key: Uint8Array): boolean {
    this.#skipSpace()
    for (let n = 0; n < key.length; n++) if (this.#body[this.#at + n] !== key[n]) return false
    this.#at += key.length
    return this.#sign(colon)
  }

  #sign(sign: number): boolean {
    this.#skipSpace()
    if (this.#body[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #skipSpace(): void {
    // Past the end there is no byte, and none that is a space.
    while ((this.#body[this.#at] as number) <= 0x20 && isSpace(this.#body[this.#at] as number)) this.#at++
  }
}

const valueKey = Buffer.from('"value"')
const idKey = Buffer.from('"id_external"')
const nameKey = Buffer.from('"name"')

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Nobody can know which ids would get in each other's way. */
const seed = randomInt(2 ** 32)
/** To look at so many others would mean that somebody does: whether an id is repeated is then found out elsewhere. */
const othersAtMost = 64

/** Whether an id is there twice, or it takes too long to tell. */
function mayRepeatAnId({ body, count, places }: PlainList): boolean {
  const mask = 2 ** Math.ceil(Math.log2(2 * count + 1)) - 1
  /** Where an id begins in `places`, and one more: none is 0. */
  const table = new Int32Array(mask + 1)
  for (let at = 0; at < count * placesEach; at += placesEach) {
    const from = places[at] as number
    const length = (places[at + 1] as number) - from
    let slot = hashOf(body, from, from + length) & mask
    for (let others = 0; table[slot] !== 0; others++) {
      const other = (table[slot] as number) - 1
      const otherFrom = places[other] as number
      const isSame =
        (places[other + 1] as number) - otherFrom === length && areSame(body, from, body, otherFrom, length)
      if (isSame || others === othersAtMost) return true
      slot = (slot + 1) & mask
    }
    table[slot] = at + 1
  }
  return false
}

function hashOf(body: Uint8Array, from: number, to: number): number {
  let hash = seed
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (body[at] as number), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

function areSame(one: Uint8Array, from: number, other: Uint8Array, otherFrom: number, length: number): boolean {
  for (let n = 0; n < length; n++) if (one[from + n] !== other[otherFrom + n]) return false
  return true
}

/** The entries whose id begins so, with the rest of it. */
export function idsBeginningWith({ body, count, places }: PlainList, prefix: string) {
  const begin = bytesOf(prefix)
  const found: { index: number; short: string }[] = []
  for (let index = 0; index < count; index++) {
    const from = places[index * placesEach] as number
    // Behind a shorter id stands a quote, which no prefix has.
    if (!areSame(body, from, begin, 0, begin.length)) continue
    const to = places[index * placesEach + 1] as number
    found.push({ index, short: String.fromCharCode(...body.subarray(from + begin.length, to)) })
  }
  return found
}

/** The list in other words. */
export function rewriteList({ body, count, places }: PlainList, frame: EntryFrame): Bytes {
  const [head, tail] = [bytesOf(frame.head), bytesOf(frame.tail)]
  const [beforeId, beforeName, afterName] = [
    bytesOf(frame.beforeId),
    bytesOf(frame.beforeName),
    bytesOf(frame.afterName),
  ]
  const framed = count * (beforeId.length + beforeName.length + afterName.length) + Math.max(0, count - 1)
  let length = head.length + framed + tail.length
  for (let at = 0; at < count * placesEach; at += 2) length += (places[at + 1] as number) - (places[at] as number)
  const written = new Uint8Array(length)
  let to = copy(head, 0, head.length, written, 0)
  for (let at = 0; at < count * placesEach; at += placesEach) {
    if (at > 0) written[to++] = comma
    to = copy(beforeId, 0, beforeId.length, written, to)
    to = copy(body, places[at] as number, places[at + 1] as number, written, to)
    to = copy(beforeName, 0, beforeName.length, written, to)
    to = copy(body, places[at + 2] as number, places[at + 3] as number, written, to)
    to = copy(afterName, 0, afterName.length, written, to)
  }
  copy(tail, 0, tail.length, written, to)
  return written
}

/** Of a few bytes sooner than the engine's own. Gives where the next go. */
function copy(from: Uint8Array, begin: number, end: number, to: Uint8Array, place: number): number {
  let at = place
  for (let n = begin; n < end; n++) to[at++] = from[n] as number
  return at
}
