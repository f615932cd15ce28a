import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** A stored token. Instead of the secret itself, the database holds its SHA-256 next to these fields. */
export interface Token {
  /** The public part of the secret, by which a token is found and named. */
  id: string
  partner: string
  name: string
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  /** The CIDR ranges from which the token may be used; empty means every address. */
  allowedRanges: string[]
  /** The id of the token that replaced this one. */
  successor: string | null
  /** The time by which an imported token should be rotated; null for a token that Atrium issued. */
  rotateBy: string | null
}

/** A secret for scripts of an operator. It has the rights of the operator. */
export type OperatorKey = Omit<Token, 'partner' | 'successor' | 'rotateBy'> & { operator: string }

export interface NewSecret {
  id: string
  secret: string
  hash: string
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The prefix of a secret: a partner's token, a token for its sandbox, or an operator key. */
export type SecretKind = 'atr' | 'atr_test' | 'atk'

const anySecret = /(atr|atr_test|atk)_([0-9A-Za-z]{8})_[0-9A-Za-z]+/g

/** Redacts all secrets in a text, cut-off ones too, to their public parts. */
export function withoutSecrets(text: string): string {
  return text.replace(anySecret, '$1_$2_…')
}

const form = /^(atr|atr_test|atk)_([0-9A-Za-z]{8})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

function random(length: number): string {
  return Array.from({ length }, () => base62[randomInt(62)]).join('')
}

/** Returns a CRC-32 in base62, as the secret scanners of code hosts expect. It detects typing errors; it is no protection. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Creates the id by which a token is named and listed. */
export function newPublicId(): string {
  return random(8)
}

export function newSecret(kind: SecretKind): NewSecret {
  const id = newPublicId()
  const body = `${kind}_${id}_${random(43)}`
  const secret = body + checksum(body)
  return { id, secret, hash: hashSecret(secret) }
}

/** Creates a secret that is looked up by its hash and never typed: no prefix, public part or checksum. */
export function newPlainSecret(): { secret: string; hash: string } {
  const secret = random(43)
  return { secret, hash: hashSecret(secret) }
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** Returns the public id of a secret. Returns undefined when it is malformed or mistyped, which needs no query. */
export function publicIdOf(kind: SecretKind, secret: string): string | undefined {
  const [, found, id, sum] = form.exec(secret) ?? []
  return found === kind && checksum(secret.slice(0, -6)) === sum ? id : undefined
}

const ownPrefix = /^at[rk]_/
const minImportedLength = 20

/**
 * Returns whether a secret may be a partner's token. A mistyped one of Atrium's own form fails its checksum and costs no
 * query. Any other of at least 20 characters may have been imported.
 */
export function canBeToken(secret: string): boolean {
  if (!ownPrefix.test(secret)) return secret.length >= minImportedLength
  return (publicIdOf('atr', secret) ?? publicIdOf('atr_test', secret)) !== undefined
}

/** Returns the SHA-256 in a line such as `sha256sum` prints, in lower case. */
export function hashIn(line: string): string | undefined {
  return /^([0-9a-f]{64})(?: [ *]-)?$/i.exec(line.trim())?.[1]?.toLowerCase()
}

/** How long before its end a token is announced to its partner. */
export const expiryNoticeMs = 7 * 86_400_000

/**
 * Returns the end of a new token that lasts no longer than the notice period. Such a token is not announced: a partner
 * that replaces each announced token by one of the same lifetime would never be done.
 */
export function endKnownFromStart({ createdAt, expiresAt }: Pick<Token, 'createdAt' | 'expiresAt'>): string | null {
  const isShort = expiresAt !== null && Date.parse(expiresAt) - Date.parse(createdAt) <= expiryNoticeMs
  return isShort ? expiresAt : null
}

/** Returns when a rotated token or key ends: after the grace time, or sooner if it was going to expire before. */
export function endAfterRotation(
  { expiresAt }: Pick<Token, 'expiresAt'>,
  now: string,
  graceSeconds: number,
): { revokedAt: string } | { expiresAt: string } {
  if (graceSeconds === 0) return { revokedAt: now }
  const end = new Date(Date.parse(now) + graceSeconds * 1000).toISOString()
  return { expiresAt: expiresAt !== null && expiresAt < end ? expiresAt : end }
}

/** Returns the expiry of a successor: it gets the lifetime that the old token was created with, starting now. */
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
