import { isUsable, type Token } from '../../domain/access/token.ts'
import { minute, table } from '../output.ts'

function tokenStatus(token: Token, nowIso: string): 'active' | 'expired' | 'revoked' {
  if (token.revokedAt !== null) return 'revoked'
  return isUsable(token, nowIso) ? 'active' : 'expired'
}

export function tokenView(token: Token, nowIso: string) {
  return {
    id: token.id,
    partner: token.partner,
    name: token.name,
    status: tokenStatus(token, nowIso),
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    revoked_at: token.revokedAt,
    last_used_at: token.lastUsedAt,
    allowed_ranges: token.allowedRanges,
    imported: token.rotateBy !== null,
    rotate_by: token.rotateBy,
  }
}

export function tokenTable(tokens: Token[], nowIso: string): string {
  const rows = tokens.map((token) => [
    token.id,
    token.partner,
    token.name,
    `${tokenStatus(token, nowIso)}${token.rotateBy === null ? '' : ', imported'}`,
    minute(token.createdAt),
    token.expiresAt === null ? 'never' : minute(token.expiresAt),
    token.lastUsedAt === null ? 'never' : minute(token.lastUsedAt),
    token.allowedRanges.join(', ') || 'anywhere',
  ])
  return table(['ID', 'PARTNER', 'NAME', 'STATUS', 'CREATED', 'EXPIRES', 'LAST USED', 'ALLOWED FROM'], rows)
}
