import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** What is kept of a token: never the secret itself. */
export interface Token {
  /** The public part. */
  id: string
  partner: string
  name: string
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  /** CIDR ranges; empty means every address. */
  allowedRanges: string[]
}

export interface NewSecret {
  id: string
  secret: string
  hash: string
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^atr_([0-9A-Za-z]{8})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

function random(length: number): string {
  return Array.from({ length }, () => base62[randomInt(62)]).join('')
}

/** CRC-32 in base62, as code hosts' secret scanners expect: it catches typing errors, it protects nothing. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

export function newSecret(): NewSecret {
  const id = random(8)
  const body = `atr_${id}_${random(43)}`
  const secret = body + checksum(body)
  return { id, secret, hash: hashSecret(secret) }
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** The public id of a well-formed secret; a mistyped one is told apart without a look-up. */
export function publicIdOf(secret: string): string | undefined {
  const match = form.exec(secret)
  return match !== null && checksum(secret.slice(0, -6)) === match[2] ? match[1] : undefined
}

/** The same without a check: of a secret that is compared as a whole later on. */
export function publicIdIn(secret: string): string {
  return secret.slice(4, 12)
}

export function isUsable(token: Pick<Token, 'expiresAt' | 'revokedAt'>, nowIso: string): boolean {
  return token.revokedAt === null && (token.expiresAt === null || token.expiresAt > nowIso)
}
