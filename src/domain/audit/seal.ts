import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts and authenticates text that clients hold, such as cookies (AES-256-GCM). All nodes share the secret. */
export function seal(secret: string, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, keyFor(secret, purpose), nonce)
  const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), body]).toString('base64url')
}

/** Returns undefined when the text was changed, or was sealed with another secret or for another purpose. */
export function unseal(secret: string, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < nonceBytes + tagBytes) return undefined
  const opening = createDecipheriv(cipher, keyFor(secret, purpose), bytes.subarray(0, nonceBytes))
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    const body = opening.update(bytes.subarray(nonceBytes + tagBytes))
    return Buffer.concat([body, opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function keyFor(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
}
