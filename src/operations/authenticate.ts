import { isInRanges } from '../domain/address-range.ts'
import type { Actor } from '../domain/audit.ts'
import { type Fingerprint, fingerprintOf, isSame } from '../domain/fingerprint.ts'
import { Refusal } from '../domain/refusal.ts'
import { hashSecret, publicIdIn, tokenIdOf } from '../domain/token.ts'
import type { Db } from '../storage/database.ts'
import type { Memory } from '../storage/memory/memory.ts'
import type { KnownPartner, KnownToken } from '../storage/memory/partners.ts'

/** The partner behind a request, with the token it came with. */
export interface Caller {
  partner: Pick<KnownPartner, 'id'>
  /** None where the operator acts for the partner. */
  token: Pick<KnownToken, 'id'> | undefined
  actor: Actor
}

/** Whose secret this is, as of the newest committed state: a revoked token is gone at once, on every node. */
export async function authenticate(db: Db, secret: string, address: string): Promise<KnownToken> {
  if (!mayBeRight(db.memory, secret)) throw unusable()
  const waiting = db.memory.catchUp()
  if (waiting !== undefined) await waiting
  const known = knownToken(db.memory, secret, { remoteAddress: address })
  if (known !== undefined) return known
  const id = tokenIdOf(secret)
  const token = id === undefined ? undefined : await db.memory.tokens.find(id)
  if (token === undefined || !hasHash(token, secret) || !isUsable(token)) throw unusable()
  if (!isAllowed(address, token.allowedRanges)) {
    throw new Refusal('address_not_allowed', 'This token cannot be used from this address.')
  }
  return token
}

/** A typing error costs no question to the database, not even whether something has changed there. */
export function mayBeRight(memory: Memory, secret: string): boolean {
  const fingerprint = memory.tokens.peek(publicIdIn(secret))?.fingerprint
  return (fingerprint !== undefined && isOf(secret, fingerprint)) || tokenIdOf(secret) !== undefined
}

function isOf(secret: string, fingerprint: Fingerprint): boolean {
  const given = fingerprintOf(secret)
  return given !== undefined && isSame(given, fingerprint)
}

/** The same for a token that is at hand, after the memory has caught up; nothing when more has to be done. */
export function knownToken(
  memory: Memory,
  secret: string,
  from: { remoteAddress?: string | undefined },
): KnownToken | undefined {
  const token = memory.tokens.get(publicIdIn(secret))
  if (!token?.fingerprint || !isOf(secret, token.fingerprint) || !isUsable(token)) return undefined
  // Asking a connection for its address is not free.
  const isHere = token.allowedRanges.length === 0 || isAllowed(from.remoteAddress ?? '', token.allowedRanges)
  return isHere ? token : undefined
}

/** Two hashes may be compared as they come: whoever could choose a hash's beginning would have broken it. */
function hasHash(token: KnownToken, secret: string): boolean {
  if (hashSecret(secret) !== token.hash) return false
  token.fingerprint = fingerprintOf(secret)
  return true
}

export function isUsable({ revokedAt, expiresAtMs }: KnownToken, nowMs = Date.now()): boolean {
  return revokedAt === null && expiresAtMs > nowMs
}

export function unusable(): Refusal {
  return new Refusal('token_invalid', 'The token is unknown, expired or revoked.')
}

export function isAllowed(address: string, ranges: readonly string[]): boolean {
  return ranges.length === 0 || isInRanges(address, ranges)
}
