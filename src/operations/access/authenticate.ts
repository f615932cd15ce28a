import { isInRanges } from '../../domain/access/address-range.ts'
import { canBeToken, hashSecret } from '../../domain/access/token.ts'
import type { Actor } from '../../domain/audit/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { EstateCache } from '../../storage/cached/estate-cache.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { CachedToken } from '../../storage/cached/token.ts'
import type { Db } from '../../storage/database.ts'

/** The authenticated sender of a request: a partner, or an operator who acts on its behalf. */
export interface Caller {
  partner: Pick<CachedPartner, 'id'>
  /** The token of the request; undefined when an operator acts on the partner's behalf. */
  token: Pick<CachedToken, 'id' | 'hash'> | undefined
  actor: Actor
}

/** First brings the cache up to date, so that a revoked token is refused at once on every node. */
export async function authenticate(db: Db, secret: string, address: string): Promise<CachedToken> {
  if (!canBeToken(secret)) throw invalidToken()
  const waiting = db.cache.ensureFresh()
  if (waiting !== undefined) await waiting
  const known = cachedToken(db.cache, secret, { remoteAddress: address })
  if (known !== undefined) return known
  const token = await db.cache.tokens.find(hashSecret(secret))
  if (token === undefined || !isUsable(token)) throw invalidToken()
  if (!isAllowed(address, token.allowedRanges)) {
    throw new Refusal('address_not_allowed', 'This token cannot be used from this address.')
  }
  return token
}

/**
 * The caller must have brought the cache up to date. Returns undefined if the token is not cached or cannot be used.
 * The lookup by hash need not take constant time: its duration reveals at most the beginning of the hash.
 */
export function cachedToken(
  cache: EstateCache,
  secret: string,
  from: { remoteAddress?: string | undefined },
): CachedToken | undefined {
  const token = cache.tokens.get(hashSecret(secret))
  if (token === undefined || !isUsable(token)) return undefined
  // Reads the address only if it is needed, because the first read of a socket's `remoteAddress` is a system call.
  const isHere = token.allowedRanges.length === 0 || isAllowed(from.remoteAddress ?? '', token.allowedRanges)
  return isHere ? token : undefined
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
