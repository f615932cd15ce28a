import type { Operator } from '../../domain/access/operator.ts'
import type { OperatorKey } from '../../domain/access/token.ts'
import type { OperatorSession } from '../../storage/access/operator-session.ts'

export function operatorView({ id, email, name, role, hasPassword, createdAt, disabledAt }: Operator) {
  return { id, email, name, role, has_password: hasPassword, date_created: createdAt, date_disabled: disabledAt }
}

export function sessionView(session: OperatorSession, current: string | undefined) {
  const { id, createdAt, lastUsedAt, expiresAt, address, agent } = session
  return {
    id,
    current: id === current,
    date_created: createdAt,
    last_used: lastUsedAt,
    expires_at: expiresAt,
    address,
    agent,
  }
}

export function keyView(key: OperatorKey) {
  const { id, operator, name, createdAt, expiresAt, revokedAt, lastUsedAt, allowedRanges } = key
  return {
    id,
    operator,
    name,
    date_created: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
    last_used: lastUsedAt,
    allowed_ranges: allowedRanges,
  }
}
