import type { Token } from '../../../domain/access/token.ts'
import { Type } from '../../schema.ts'
import { dateTime, flag, nullableText, nullableTime, text } from '../../schema-parts.ts'
import { partnerId } from './partner-view.ts'

const TokenSchema = Type.Object(
  {
    id: text('Public id.'),
    partner: partnerId,
    name: text('Purpose of the token.'),
    date_created: dateTime('When it was created.'),
    expires_at: nullableTime('When it expires; null for never.'),
    revoked_at: nullableTime('When it was revoked.'),
    last_used: nullableTime('When it was last used, to the minute.'),
    allowed_ranges: Type.Array(Type.String(), {
      description: 'Address ranges from which it is accepted; empty for all.',
    }),
    successor: nullableText('The token that replaced it.'),
    predecessor: nullableText('The token that it replaced.'),
    safe_to_revoke: flag('Whether it was replaced, its successor is in use, and it was not used for a day.'),
    state: {
      type: 'string',
      enum: ['active', 'expiring', 'expired', 'revoked'],
      description: '`expiring` in the last two weeks.',
    },
    imported: flag('Whether it was issued elsewhere and imported.'),
    rotate_by: nullableTime('By when an imported token should be rotated; null for a token that Atrium issued.'),
  },
  { $id: 'Token', description: 'A token of a partner, without its secret.' },
)

const IssuedToken = Type.Object(
  { token: Type.Ref('Token'), secret: text('The token itself, shown only in this response.') },
  { $id: 'IssuedToken', description: 'A new token.' },
)

export const tokenSchemas = { Token: TokenSchema, IssuedToken }

export const tokenExample = {
  id: '4fT0aZ9q',
  partner: 'acme-pms',
  name: 'production',
  date_created: '2026-11-15T08:30:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used: '2026-11-15T08:30:00.000Z',
  allowed_ranges: [],
  successor: null,
  predecessor: null,
  safe_to_revoke: false,
  state: 'active',
  imported: false,
  rotate_by: null,
}

export const importedTokenExample = {
  ...tokenExample,
  name: 'tills',
  imported: true,
  rotate_by: '2027-02-15T08:30:00.000Z',
}

export const issuedTokenExample = { token: tokenExample, secret: `atr_4fT0aZ9q_${'x'.repeat(43)}${'0'.repeat(6)}` }

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
 * Returns whether the token's successor is in use and the token itself was not used for a day: then all of the
 * partner's programs seem to have switched to the successor.
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
