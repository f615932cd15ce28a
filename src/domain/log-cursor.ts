import { hash } from 'node:crypto'
import { BlockCipher, blockBytes } from './block-cipher.ts'

export interface LogPosition {
  at: string
  seq: number
}

const timeBytes = 6
const seqBytes = 6
const checkBytes = blockBytes - timeBytes - seqBytes
const maxSeq = 2 ** 48 - 1

/**
 * Encrypts positions in a log that all partners share, so that a partner cannot count the entries of others between two
 * of its own. A cursor contains a hash of its list and filters, by which `read` recognizes cursors of other lists.
 */
export class LogCursors {
  readonly #cipher: BlockCipher
  readonly #check: Buffer

  constructor(secret: string, partner: string, list: string) {
    this.#cipher = new BlockCipher(secret, `log cursors of ${partner}`)
    this.#check = hash('sha256', list, 'buffer').subarray(0, checkBytes)
  }

  write({ at, seq }: LogPosition): string {
    const block = Buffer.alloc(blockBytes)
    block.writeUIntBE(Date.parse(at), 0, timeBytes)
    block.writeUIntBE(Math.min(seq, maxSeq), timeBytes, seqBytes)
    this.#check.copy(block, timeBytes + seqBytes)
    return this.#cipher.encrypt(block)
  }

  /** Returns undefined when the cursor was not made for this partner and list. */
  read(text: string): LogPosition | undefined {
    const block = this.#cipher.decrypt(text)
    if (!block?.subarray(timeBytes + seqBytes).equals(this.#check)) return undefined
    const at = new Date(block.readUIntBE(0, timeBytes)).toISOString()
    return { at, seq: block.readUIntBE(timeBytes, seqBytes) }
  }
}
