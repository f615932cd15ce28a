import { isInRanges } from '../../domain/access/address-range.ts'
import { hashSecret, publicIdIn, tokenIdOf } from '../../domain/access/token.ts'
import type { Actor } from '../../domain/audit/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { EstateCache } from '../../storage/cached/estate-cache.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'

/** The partner behind a request, with the token it came with. */
export interface Caller {
  partner: Pick<CachedPartner, 'id'>
  /** None where the operator acts for the partner. */
  token: Pick<CachedToken, 'id'> | undefined
  actor: Actor
}

/** Whose secret this is, as of the newest committed state: a revoked token is gone at once, on every node. */
export async function authenticate(db: Db, secret: string, address: string): Promise<CachedToken> {
  const id = tokenIdOf(secret)
  if (id === undefined) throw unusable()
  const waiting = db.cache.ensureFresh()
  if (waiting !== undefined) await waiting
  const known = cachedToken(db.cache, secret, { remoteAddress: address })
  if (known !== undefined) return known
  const token = await db.cache.tokens.find(id)
  if (token === undefined || !isOf(secret, token) || !isUsable(token)) throw unusable()
  if (!isAllowed(address, token.allowedRanges)) {
    throw new Refusal('address_not_allowed', 'This token cannot be used from this address.')
  }
  return token
}

/** A mistyped token costs no query, not even the one that asks whether something has changed. */
export function isWellFormed(secret: string): boolean {
  return tokenIdOf(secret) !== undefined
}

/** Returns the token from the cache, which must be current; undefined when it is not there or cannot be used. */
export function cachedToken(
  cache: EstateCache,
  secret: string,
  from: { remoteAddress?: string | undefined },
): CachedToken | undefined {
  const token = cache.tokens.get(publicIdIn(secret))
  if (token === undefined || !isOf(secret, token) || !isUsable(token)) return undefined
  // Asking a connection for its address is not free.
  const isHere = token.allowedRanges.length === 0 || isAllowed(from.remoteAddress ?? '', token.allowedRanges)
  return isHere ? token : undefined
}

/** Hashes are compared in variable time: choosing how one begins would be breaking SHA-256. */
function isOf(secret: string, { hash }: CachedToken): boolean {
  return hashSecret(secret) === hash
}

export function isUsable({ revokedAt, expiresAtMs }: CachedToken, nowMs = Date.now()): boolean {
  return revokedAt === null && expiresAtMs > nowMs
}

export function unusable(): Refusal {
  return new Refusal('token_invalid', 'The token is unknown, expired or revoked.')
}

export function isAllowed(address: string, ranges: readonly string[]): boolean {
  return ranges.length === 0 || isInRanges(address, ranges)
}
