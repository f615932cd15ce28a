import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** A stored token of a partner. In place of the secret itself, the database holds its SHA-256 beside these fields. */
export interface Token {
  /** The public part of the secret, by which the token is found and listed. */
  id: string
  partner: string
  name: string
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  /** The CIDR ranges from which the token may be used; empty means every address. */
  allowedRanges: string[]
  successor: string | null
  /** The time by which an imported token should be rotated; null for a token that Atrium issued. */
  rotateBy: string | null
}

/** A stored key with which scripts act for an operator, with the rights of that operator. */
export type OperatorKey = Omit<Token, 'partner' | 'successor' | 'rotateBy'> & { operator: string }

interface NewSecret {
  id: string
  secret: string
  hash: string
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The prefix of a secret: a partner's token, a token for its sandbox, or an operator key. */
type SecretKind = 'atr' | 'atr_test' | 'atk'

const anySecret = /(atr|atr_test|atk)_([0-9A-Za-z]{8})_[0-9A-Za-z]+/g

/** Shortens all secrets in a text, even truncated ones, to their public parts, such as `atr_1a2B3c4D_…`. */
export function withoutSecrets(text: string): string {
  return text.replace(anySecret, '$1_$2_…')
}

const form = /^(atr|atr_test|atk)_([0-9A-Za-z]{8})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

function random(length: number): string {
  return Array.from({ length }, () => base62[randomInt(62)]).join('')
}

/** A CRC-32 in base62, as the secret scanners of code hosts expect. Detects typing errors but protects nothing. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

export function newPublicId(): string {
  return random(8)
}

export function newSecret(kind: SecretKind): NewSecret {
  const id = newPublicId()
  const body = `${kind}_${id}_${random(43)}`
  const secret = body + checksum(body)
  return { id, secret, hash: hashSecret(secret) }
}

/** Creates the secret of a session or sign-in link. It is found by its hash and never typed, so it has no checksum. */
export function newPlainSecret(): { secret: string; hash: string } {
  const secret = random(43)
  return { secret, hash: hashSecret(secret) }
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** Returns undefined when the secret is malformed or its checksum is wrong: no query is needed to refuse it then. */
export function publicIdOf(kind: SecretKind, secret: string): string | undefined {
  const [, found, id, sum] = form.exec(secret) ?? []
  return found === kind && checksum(secret.slice(0, -6)) === sum ? id : undefined
}

const ownPrefix = /^at[rk]_/
const minImportedLength = 20

/**
 * Decides without a query: what begins like a secret of Atrium must have a valid checksum; any other text of at least
 * 20 characters may be an imported token.
 */
export function canBeToken(secret: string): boolean {
  if (!ownPrefix.test(secret)) return secret.length >= minImportedLength
  return (publicIdOf('atr', secret) ?? publicIdOf('atr_test', secret)) !== undefined
}

/** Returns the SHA-256, in lower case, in a line that `sha256sum` has printed. */
export function hashIn(line: string): string | undefined {
  return /^([0-9a-f]{64})(?: [ *]-)?$/i.exec(line.trim())?.[1]?.toLowerCase()
}

/** The time before the expiry of a token at which its partner is notified, in milliseconds. */
export const expiryNoticeMs = 7 * 86_400_000

/**
 * Returns the expiry of a token that lives for at most the notice period of 7 days, else null. No event announces this
 * expiry: the event would be due as soon as the token exists, and again for each replacement.
 */
export function endKnownFromStart({ createdAt, expiresAt }: Pick<Token, 'createdAt' | 'expiresAt'>): string | null {
  const isShort = expiresAt !== null && Date.parse(expiresAt) - Date.parse(createdAt) <= expiryNoticeMs
  return isShort ? expiresAt : null
}

/** Returns when a replaced token ends: after a grace time, in which both are valid, or at its earlier expiry. */
export function endAfterRotation(
  { expiresAt }: Pick<Token, 'expiresAt'>,
  now: string,
  graceSeconds: number,
): { revokedAt: string } | { expiresAt: string } {
  if (graceSeconds === 0) return { revokedAt: now }
  const end = new Date(Date.parse(now) + graceSeconds * 1000).toISOString()
  return { expiresAt: expiresAt !== null && expiresAt < end ? expiresAt : end }
}

/**
 * Returns the expiry of a replacement that lives as long as this token does, from now on. A rotation shortens the
 * expiry of the old token, so for a token that was replaced already, `rotateToken` passes its latest replacement.
 */
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
