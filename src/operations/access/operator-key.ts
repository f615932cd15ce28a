import { endAfterRotation, newSecret, type OperatorKey, sameLifetime } from '../../domain/access/token.ts'
import type { Actor, AuditAction } from '../../domain/audit/audit.ts'
import { changesBetween, type ValueChange } from '../../domain/audit/audit-detail.ts'
import { created, tokenLifetime, tokenValues } from '../../domain/audit/estate-audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import { insertKey, listKeys, lockKey, updateKey } from '../../storage/access/operator-key.ts'
import { recordAudit } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'

type KeyDraft = Pick<OperatorKey, 'operator' | 'name' | 'expiresAt' | 'allowedRanges'>

/** A new operator key with its secret, which is returned only here: the database stores only the secret's hash. */
interface IssuedKey {
  key: OperatorKey
  secret: string
}

export function createKey(db: Db, actor: Actor, draft: KeyDraft): Promise<IssuedKey> {
  return db.write(async (tx) => {
    const issued = await issue(tx, draft, nowIso())
    record(tx, actor, 'key.create', issued.key, created(tokenValues(draft)))
    return issued
  })
}

export function findKeys(db: Db, operator?: string): Promise<OperatorKey[]> {
  return db.read((tx) => listKeys(tx, operator))
}

/** Revokes a key. With `owner`, the id of an operator, refuses keys of others as if they did not exist. */
export function revokeKey(db: Db, actor: Actor, id: string, owner: string | undefined): Promise<OperatorKey> {
  return db.write(async (tx) => {
    const key = await keyOf(tx, id, owner)
    if (key.revokedAt !== null) return key
    const revokedAt = nowIso()
    await updateKey(tx, id, { revokedAt })
    record(tx, actor, 'key.revoke', key, [{ key: 'revoked_at', before: null, after: revokedAt }])
    return { ...key, revokedAt }
  })
}

export function rotateKey(
  db: Db,
  actor: Actor,
  id: string,
  owner: string | undefined,
  graceSeconds: number,
): Promise<IssuedKey & { old: OperatorKey }> {
  return db.write(async (tx) => {
    const key = await keyOf(tx, id, owner)
    if (key.revokedAt !== null)
      throw new Refusal('token_revoked', 'This key is revoked, which cannot be undone: create a new one.')
    const now = nowIso()
    const end = endAfterRotation(key, now, graceSeconds)
    await updateKey(tx, id, end)
    const issued = await issue(tx, { ...key, expiresAt: sameLifetime(key, now) }, now)
    const replaced = { ...key, ...end, successor: issued.key.id }
    const changes = changesBetween(tokenLifetime({ ...key, successor: null }), tokenLifetime(replaced))
    record(tx, actor, 'key.rotate', key, changes, { issued: tokenValues(issued.key) })
    return { ...issued, old: { ...key, ...end } }
  })
}

async function keyOf(tx: Tx, id: string, owner: string | undefined): Promise<OperatorKey> {
  const key = await lockKey(tx, id)
  if (key !== undefined && (owner === undefined || key.operator === owner)) return key
  throw new Refusal('key_not_found', 'There is no key with this id.')
}

async function issue(tx: Tx, draft: KeyDraft, createdAt: string): Promise<IssuedKey> {
  const { id, secret, hash } = newSecret('atk')
  const { operator, name, expiresAt, allowedRanges } = draft
  const key = { id, operator, name, createdAt, expiresAt, revokedAt: null, lastUsedAt: null, allowedRanges }
  await insertKey(tx, key, hash)
  return { key, secret }
}

function record(
  tx: Tx,
  actor: Actor,
  action: AuditAction,
  { id }: OperatorKey,
  changes: ValueChange[],
  more: object = {},
): void {
  recordAudit(tx, { actor, action, subject: id, detail: { changes, ...more } })
}
