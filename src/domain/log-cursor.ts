import { createCipheriv, createDecipheriv, hash, hkdfSync } from 'node:crypto'

/** The position of an entry in a log: its time in ISO 8601 and its number. */
export interface LogPosition {
  at: string
  seq: number
}

const cipher = 'aes-256-ecb'
const form = /^[\w-]{22}$/
const timeBytes = 6
const seqBytes = 6
const checkBytes = 4
const maxSeq = 2 ** 48 - 1

/**
 * Encrypts positions in a log that all partners share, so that a partner cannot count the entries of others between two
 * of its own. A cursor is one block of AES-256, for which the mode ECB is safe. It holds a time, a number, and a hash
 * of the requested list and its filters, by which `read` recognizes a cursor of another list.
 */
export class LogCursors {
  readonly #key: Uint8Array
  readonly #check: Buffer

  constructor(secret: string, partner: string, list: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', `log cursors of ${partner}`, 32))
    this.#check = hash('sha256', list, 'buffer').subarray(0, checkBytes)
  }

  write({ at, seq }: LogPosition): string {
    const block = Buffer.alloc(timeBytes + seqBytes + checkBytes)
    block.writeUIntBE(Date.parse(at), 0, timeBytes)
    block.writeUIntBE(Math.min(seq, maxSeq), timeBytes, seqBytes)
    this.#check.copy(block, timeBytes + seqBytes)
    return createCipheriv(cipher, this.#key, null).setAutoPadding(false).update(block).toString('base64url')
  }

  /** Decrypts a cursor. Returns undefined when it was not made for this partner and list. */
  read(text: string): LogPosition | undefined {
    if (!form.test(text)) return undefined
    const opening = createDecipheriv(cipher, this.#key, null).setAutoPadding(false)
    const block = opening.update(Buffer.from(text, 'base64url'))
    if (!block.subarray(timeBytes + seqBytes).equals(this.#check)) return undefined
    const at = new Date(block.readUIntBE(0, timeBytes)).toISOString()
    return { at, seq: block.readUIntBE(timeBytes, seqBytes) }
  }
}
