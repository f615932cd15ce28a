import { hash, randomInt } from 'node:crypto'
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
  /** The id of the token that replaced it. */
  successor: string | null
}

/** The same for an operator's scripts. */
export type OperatorKey = Omit<Token, 'partner' | 'successor'> & { operator: string }

export interface NewSecret {
  id: string
  secret: string
  hash: string
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Whose secret it is: a partner's token, one for its sandbox, or an operator's key. */
export type SecretKind = 'atr' | 'atr_test' | 'atk'

const anySecret = /(atr|atr_test|atk)_([0-9A-Za-z]{8})_[0-9A-Za-z]+/g

/** Returns the text with every secret in it, whole or cut off, reduced to its public part. */
export function withoutSecrets(text: string): string {
  return text.replace(anySecret, '$1_$2_…')
}

const form = /^(atr|atr_test|atk)_([0-9A-Za-z]{8})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

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

export function newSecret(kind: SecretKind): NewSecret {
  const id = random(8)
  const body = `${kind}_${id}_${random(43)}`
  const secret = body + checksum(body)
  return { id, secret, hash: hashSecret(secret) }
}

/** A secret that is found by its hash alone: nobody types it. */
export function newPlainSecret(): { secret: string; hash: string } {
  const secret = random(43)
  return { secret, hash: hashSecret(secret) }
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** The public id of a well-formed secret; a mistyped one is told apart without a look-up. */
export function publicIdOf(kind: SecretKind, secret: string): string | undefined {
  const [, found, id, sum] = form.exec(secret) ?? []
  return found === kind && checksum(secret.slice(0, -6)) === sum ? id : undefined
}

/** Of a partner's token, whatever it reaches: which of them it is was settled when it was made, and is part of its hash. */
export function tokenIdOf(secret: string): string | undefined {
  return publicIdOf('atr', secret) ?? publicIdOf('atr_test', secret)
}

/** The same without a check: of a secret that is compared as a whole later on. */
export function publicIdIn(secret: string): string {
  // In `atr_test_` an underscore stands where the id of every other token has a character.
  return secret[8] === '_' ? secret.slice(9, 17) : secret.slice(4, 12)
}

/** How a token or key that is replaced ends. The grace time never lengthens a life that was going to end sooner. */
export function endAfterRotation(
  { expiresAt }: Pick<Token, 'expiresAt'>,
  now: string,
  graceSeconds: number,
): { revokedAt: string } | { expiresAt: string } {
  if (graceSeconds === 0) return { revokedAt: now }
  const end = new Date(Date.parse(now) + graceSeconds * 1000).toISOString()
  return { expiresAt: expiresAt !== null && expiresAt < end ? expiresAt : end }
}

/** As long a life as the old one was given, counted from now. */
export function sameLifetime(
  { createdAt, expiresAt }: Pick<Token, 'createdAt' | 'expiresAt'>,
  now: string,
): string | null {
  if (expiresAt === null) return null
  return new Date(Date.parse(now) + Date.parse(expiresAt) - Date.parse(createdAt)).toISOString()
}

export function isUsable(token: Pick<Token, 'expiresAt' | 'revokedAt'>, nowIso: string): boolean {
  return token.revokedAt === null && (token.expiresAt === null || token.expiresAt > nowIso)
}
