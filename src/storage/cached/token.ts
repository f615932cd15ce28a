import type { LoadingCache } from '../../cache/loading-cache.ts'
import { andThen, type MaybePromise } from '../../domain/maybe.ts'
import type { Engine } from '../engine.ts'
import { statement } from '../statement.ts'
import type { CachedPartner } from './partner.ts'

/** A token with its partner. Stale once the cache holds another object for the partner; see estate-cache.ts. */
export interface CachedToken {
  readonly id: string
  readonly hash: string
  readonly name: string
  readonly expiresAt: string | null
  readonly expiresAtMs: number
  readonly revokedAt: string | null
  readonly allowedRanges: readonly string[]
  readonly rotateBy: string | null
  readonly partner: CachedPartner
}

interface TokenRow {
  id: string
  partner_id: string
  version: number
  name: string
  expires_at: string | null
  revoked_at: string | null
  allowed_ranges: string
  rotate_by: string | null
}

const findToken = statement<TokenRow>(`
  select t.id, t.partner_id, p.version, t.name, t.expires_at, t.revoked_at, t.allowed_ranges, t.rotate_by
  from token t join partner p on p.id = t.partner_id where t.hash = $1`)

/**
 * Loads the token and its partner at one version of the partner, which every change of either increments. If the cached
 * partner has another version, calls `onStale`, which must invalidate it, and tries again.
 */
export function loadToken(
  ask: Engine['ask'],
  partners: LoadingCache<CachedPartner>,
  onStale: (partner: string) => void,
  hash: string,
): MaybePromise<CachedToken | undefined> {
  return andThen(ask(findToken, hash), ([row]) => {
    if (row === undefined) return undefined
    return andThen(partners.find(row.partner_id), (partner) => {
      if (partner === undefined) return undefined
      if (partner.version === row.version) return toToken(hash, row, partner)
      // The partner changed between the two reads, and this token may have changed too: both are read again.
      onStale(partner.id)
      return loadToken(ask, partners, onStale, hash)
    })
  })
}

export function tokenBytes({ allowedRanges }: CachedToken): number {
  return 480 + allowedRanges.length * 50
}

function toToken(hash: string, row: TokenRow, partner: CachedPartner): CachedToken {
  const { id, name, expires_at: expiresAt, revoked_at: revokedAt, allowed_ranges, rotate_by: rotateBy } = row
  const expiresAtMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
  const allowedRanges = JSON.parse(allowed_ranges)
  return { id, hash, name, expiresAt, expiresAtMs, revokedAt, allowedRanges, rotateBy, partner }
}
