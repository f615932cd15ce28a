import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

const cipher = 'aes-256-ecb'
export const blockBytes = 16
const form = /^[\w-]{22}$/

/** Encrypts single blocks of AES-256 as 22 characters. The mode ECB is unsafe only for texts of several blocks. */
export class BlockCipher {
  readonly #key: Uint8Array

  /** Derives the key from the secret of the installation and the purpose of the blocks. */
  constructor(secret: string, purpose: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
  }

  encrypt(block: Buffer): string {
    return createCipheriv(cipher, this.#key, null).setAutoPadding(false).update(block).toString('base64url')
  }

  /** Returns undefined when the text cannot be a block. Text that was encrypted with another key becomes random bytes. */
  decrypt(text: string): Buffer | undefined {
    if (!form.test(text)) return undefined
    return createDecipheriv(cipher, this.#key, null).setAutoPadding(false).update(Buffer.from(text, 'base64url'))
  }
}
