import { randomBytes } from 'node:crypto'
import { BlockCipher, blockBytes } from '../block-cipher.ts'
import { Refusal } from '../refusal.ts'

/** The number of offsets per audit entry, for its events. The last offset marks the end of the entry. */
export const offsetsPerEntry = 64

export function eventOffset(seq: number, index: number): number {
  return seq * offsetsPerEntry + index
}

export function lastOffsetOf(seq: number): number {
  return eventOffset(seq, offsetsPerEntry - 1)
}

/** Returns the last audit entry of which a partner has read all events, if it has read the events up to `offset`. */
export function entryBefore(offset: number): number {
  return Math.floor((offset + 1) / offsetsPerEntry) - 1
}

/**
 * Encrypts offsets for one partner: from plain ones, it could count the changes that it may not see. An event always
 * has the same id. A cursor contains random bits, so that it does not reveal whether it has moved past hidden events.
 */
export class EventIds {
  readonly #cipher: BlockCipher

  constructor(secret: string, partner: string) {
    this.#cipher = new BlockCipher(secret, `event places of ${partner}`)
  }

  id(offset: number): string {
    return this.#write(offset, 0)
  }

  cursor(offset: number): string {
    return this.#write(offset, randomBytes(4).readUInt32BE())
  }

  /** Returns undefined when the id or cursor was not made for this partner. */
  read(text: string): number | undefined {
    const block = this.#cipher.decrypt(text)
    if (block === undefined) return undefined
    const offset = block.readBigUInt64BE(0)
    return block.readUInt32BE(12) === 0 && offset <= Number.MAX_SAFE_INTEGER ? Number(offset) : undefined
  }

  #write(offset: number, salt: number): string {
    const block = Buffer.alloc(blockBytes)
    block.writeBigUInt64BE(BigInt(offset), 0)
    block.writeUInt32BE(salt, 8)
    return this.#cipher.encrypt(block)
  }
}

export function newEventSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Creates the refusal of an event cursor from before a backup was restored. There are no events for what the restore
 * changed, so the partner must read everything again.
 */
export function cursorExpired(): Refusal {
  const detail =
    'A backup was restored since this cursor was given. Read again what you keep, and begin without "after".'
  return new Refusal('cursor_expired', detail)
}

/** Creates the refusal of an event cursor whose position in the audit log was removed with the oldest entries. */
export function cursorRemoved(): Refusal {
  const detail =
    'What happened after this cursor is older than this installation keeps. Read again what you keep, and begin without "after".'
  return new Refusal('cursor_expired', detail)
}
