import type { Operator } from '../../domain/access/operator.ts'
import { hashSecret, isUsable, publicIdOf } from '../../domain/access/token.ts'
import type { Actor } from '../../domain/audit/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import { findOperator, passwordOf } from '../../storage/access/operator.ts'
import { findKey, updateKey } from '../../storage/access/operator-key.ts'
import {
  deleteSessions,
  deleteSessionsBefore,
  findSession,
  type OperatorSession,
  type SignedIn,
  sessionsOf,
  touchSession,
} from '../../storage/access/operator-session.ts'
import { recordAudit } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'
import { isAllowed } from './authenticate.ts'
import { isPassword } from './password-queue.ts'
import { verifyAttempt } from './sign-in-throttle.ts'

const idleTimeoutMs = 12 * 3_600_000
const maxLifetimeMs = 7 * 24 * 3_600_000
/** The minimum time between two writes of a session's `lastUsedAt`, so that most requests write nothing. */
const touchIntervalMs = 60_000

export function sessionEnd(createdAt: string, usedAt: string): string {
  return new Date(Math.min(Date.parse(usedAt) + idleTimeoutMs, Date.parse(createdAt) + maxLifetimeMs)).toISOString()
}

/** Reads the database each time, so that a sign-out takes effect at once on every node. */
export async function operatorOfSession(db: Db, secret: string): Promise<SignedIn> {
  const now = nowIso()
  const found = await db.read((tx) => findSession(tx, hashSecret(secret), now))
  if (found === undefined) throw new Refusal('sign_in_required', 'Your session has ended: sign in again.')
  const { id, createdAt, lastUsedAt } = found.session
  if (Date.parse(now) - Date.parse(lastUsedAt) < touchIntervalMs) return found
  const expiresAt = sessionEnd(createdAt, now)
  await db.write((tx) => touchSession(tx, id, now, expiresAt))
  return { ...found, session: { ...found.session, lastUsedAt: now, expiresAt } }
}

/** Returns an operator key and its operator. The key has the rights that its operator has at this moment. */
export async function operatorOfKey(db: Db, secret: string, address: string) {
  const now = nowIso()
  const id = publicIdOf('atk', secret)
  const found = id === undefined ? undefined : await db.read((tx) => findKey(tx, id))
  const isRight = found !== undefined && found.hash === hashSecret(secret) && isUsable(found.key, now)
  const operator = isRight ? await db.read((tx) => findOperator(tx, found.key.operator)) : undefined
  if (!isRight || operator === undefined || operator.disabledAt !== null) {
    throw new Refusal('key_invalid', 'The key is unknown, expired or revoked.')
  }
  if (!isAllowed(address, found.key.allowedRanges)) {
    throw new Refusal('address_not_allowed', 'This key cannot be used from this address.')
  }
  const minute = `${now.slice(0, 16)}:00.000Z`
  if (found.key.lastUsedAt !== minute) await db.write((tx) => updateKey(tx, found.key.id, { lastUsedAt: minute }))
  return { key: found.key, operator }
}

export function findSessions(db: Db, operator: string): Promise<OperatorSession[]> {
  return db.read((tx) => sessionsOf(tx, operator, nowIso()))
}

/** Ends the session `id`, all but `except`, or all if neither is set. Returns how many it ended. */
export function endSessions(
  db: Db,
  actor: Actor,
  operator: string,
  which: { id?: string; except?: string } = {},
): Promise<number> {
  return db.write(async (tx) => {
    const count = await deleteSessions(tx, operator, which)
    if (count > 0) {
      recordAudit(tx, { actor, action: 'operator.sign_out', subject: operator, detail: { sessions: count } })
    }
    return count
  })
}

/** Requires the current password, if the operator has one. Slows down repeated wrong ones as a sign-in does. */
export async function assertCurrentPassword(
  db: Db,
  { id, email }: Pick<Operator, 'id' | 'email'>,
  current: string | undefined,
  address: string | null,
): Promise<void> {
  const stored = await db.read((tx) => passwordOf(tx, id))
  if (stored === null) return
  const isRight = async () => current !== undefined && (await isPassword(current, stored))
  if (await verifyAttempt(db, { email, address }, isRight, async () => true)) return
  throw new Refusal('sign_in_refused', 'The current password is incorrect.')
}

export async function pruneSessions(db: Db): Promise<void> {
  await db.write((tx) => deleteSessionsBefore(tx, nowIso()))
}
