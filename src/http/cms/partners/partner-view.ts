import type { PartnerWithGrants } from '../../../domain/access/partner.ts'
import type { Token } from '../../../domain/access/token.ts'
import { parseExactly } from '../../../domain/exact-json.ts'
import type { PartnerRow } from '../../../storage/cms/partner.ts'

export function partnerView({ id, name, rateLimit, webhooks, contract, grants }: PartnerWithGrants) {
  return {
    id,
    name,
    rate_limit: rateLimit,
    webhooks,
    contract: contract === null ? null : parseExactly(contract),
    grants,
  }
}

export function partnerRow(row: PartnerRow) {
  return {
    id: row.id,
    name: row.name,
    rate_limit: row.rateLimit,
    contract: row.hasContract,
    grants_count: row.grants,
    tokens_count: row.tokens,
    facilities_count: row.facilities,
    last_used: row.lastUsedAt,
    webhooks_failing: row.webhooksFailing,
    webhooks_disabled: row.webhooksDisabled,
  }
}

const dayMs = 86_400_000
const expiringMs = 14 * dayMs

export function tokenView(token: Token, all: readonly Token[]) {
  const { id, partner, name, createdAt, expiresAt, revokedAt, lastUsedAt, allowedRanges, successor, rotateBy } = token
  return {
    id,
    partner,
    name,
    date_created: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
    last_used: lastUsedAt,
    allowed_ranges: allowedRanges,
    successor,
    predecessor: all.find((other) => other.successor === id)?.id ?? null,
    safe_to_revoke: isSafeToRevoke(token, all),
    state: stateOf(token),
    imported: rotateBy !== null,
    rotate_by: rotateBy,
  }
}

/**
 * Returns whether a rotated token can be revoked: its successor is in use and it was itself not used for a day, so that
 * all programs seem to have switched to the successor.
 */
function isSafeToRevoke({ successor, revokedAt, lastUsedAt }: Token, all: readonly Token[]): boolean {
  const next = all.find(({ id }) => id === successor)
  if (revokedAt !== null || next === undefined || next.lastUsedAt === null) return false
  return lastUsedAt === null || Date.parse(lastUsedAt) < Date.now() - dayMs
}

function stateOf({ revokedAt, expiresAt }: Token): 'active' | 'expiring' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked'
  const leftMs = expiresAt === null ? Infinity : Date.parse(expiresAt) - Date.now()
  if (leftMs <= 0) return 'expired'
  return leftMs < expiringMs ? 'expiring' : 'active'
}
