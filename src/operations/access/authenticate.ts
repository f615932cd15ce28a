import { isInRanges } from '../../domain/access/address-range.ts'
import { hashSecret, publicIdIn, tokenIdOf } from '../../domain/access/token.ts'
import type { Actor } from '../../domain/audit/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { EstateCache } from '../../storage/cached/estate-cache.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'

/** The authenticated partner of a request. */
export interface Caller {
  partner: Pick<CachedPartner, 'id'>
  /** The token of the request; undefined when an operator acts on the partner's behalf. */
  token: Pick<CachedToken, 'id'> | undefined
  actor: Actor
}

/** Returns the token of a secret. The cache is revalidated first, so a revoked token is refused at once on every node. */
export async function authenticate(db: Db, secret: string, address: string): Promise<CachedToken> {
  const id = tokenIdOf(secret)
  if (id === undefined) throw invalidToken()
  const waiting = db.cache.ensureFresh()
  if (waiting !== undefined) await waiting
  const known = cachedToken(db.cache, secret, { remoteAddress: address })
  if (known !== undefined) return known
  const token = await db.cache.tokens.find(id)
  if (token === undefined || !isOf(secret, token) || !isUsable(token)) throw invalidToken()
  if (!isAllowed(address, token.allowedRanges)) {
    throw new Refusal('address_not_allowed', 'This token cannot be used from this address.')
  }
  return token
}

/** Checks form and checksum only, so that refusing a mistyped token costs no query. */
export function isWellFormed(secret: string): boolean {
  return tokenIdOf(secret) !== undefined
}

/** Returns the token from the cache, which must be fresh. Returns undefined on a miss, and when it cannot be used. */
export function cachedToken(
  cache: EstateCache,
  secret: string,
  from: { remoteAddress?: string | undefined },
): CachedToken | undefined {
  const token = cache.tokens.get(publicIdIn(secret))
  if (token === undefined || !isOf(secret, token) || !isUsable(token)) return undefined
  // The address is read only if it is needed: reading `remoteAddress` of a socket for the first time is a system call.
  const isHere = token.allowedRanges.length === 0 || isAllowed(from.remoteAddress ?? '', token.allowedRanges)
  return isHere ? token : undefined
}

/**
 * Returns whether the secret has the token's hash. Constant time is not needed: timing could reveal a prefix of the
 * hash, but no secret can be made to match one.
 */
function isOf(secret: string, { hash }: CachedToken): boolean {
  return hashSecret(secret) === hash
}

export function isUsable({ revokedAt, expiresAtMs }: CachedToken, nowMs = Date.now()): boolean {
  return revokedAt === null && expiresAtMs > nowMs
}

export function invalidToken(): Refusal {
  return new Refusal('token_invalid', 'The token is unknown, expired or revoked.')
}

export function isAllowed(address: string, ranges: readonly string[]): boolean {
  return ranges.length === 0 || isInRanges(address, ranges)
}
