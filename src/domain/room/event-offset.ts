import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Refusal } from '../refusal.ts'

/** An entry of the journal can be several events: each has a place, and so has the end of the entry. */
const offsetsPerEntry = 64

export function eventOffset(seq: number, index: number): number {
  return seq * offsetsPerEntry + index
}

export function lastOffsetOf(seq: number): number {
  return eventOffset(seq, offsetsPerEntry - 1)
}

/** The entry after which those with later places stand. */
export function entryBefore(place: number): number {
  return Math.floor((place + 1) / offsetsPerEntry) - 1
}

const cipher = 'aes-256-ecb'
const blockBytes = 16
const form = /^[\w-]{22}$/

/**
 * Places as one partner sees them: one block of a cipher, so that neither how many there are nor how far they are apart
 * can be told from them. An event's id is always the same; a cursor is another one each time, so that nobody sees
 * whether it has moved past something hidden.
 */
export class EventIds {
  readonly #key: Uint8Array

  constructor(secret: string, partner: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', `event places of ${partner}`, 32))
  }

  id(place: number): string {
    return this.#write(place, 0)
  }

  cursor(place: number): string {
    return this.#write(place, randomBytes(4).readUInt32BE())
  }

  /** Nothing where it is neither an id nor a cursor of this partner. */
  read(text: string): number | undefined {
    if (!form.test(text)) return undefined
    const opening = createDecipheriv(cipher, this.#key, null).setAutoPadding(false)
    const block = opening.update(Buffer.from(text, 'base64url'))
    const place = block.readBigUInt64BE(0)
    return block.readUInt32BE(12) === 0 && place <= Number.MAX_SAFE_INTEGER ? Number(place) : undefined
  }

  #write(place: number, salt: number): string {
    const block = Buffer.alloc(blockBytes)
    block.writeBigUInt64BE(BigInt(place), 0)
    block.writeUInt32BE(salt, 8)
    return createCipheriv(cipher, this.#key, null).setAutoPadding(false).update(block).toString('base64url')
  }
}

export function newEventSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What came with a backup is not told change by change: whoever comes from before it has to begin anew. */
export function cursorExpired(): Refusal {
  const detail =
    'A backup was restored since this cursor was given. Read again what you keep, and begin without "after".'
  return new Refusal('cursor_expired', detail)
}
