import type { Selectable } from 'kysely'
import type { OperatorKey } from '../../domain/access/token.ts'
import type { Tx } from '../engine.ts'
import type { OperatorKeyTable } from '../table-rows.ts'

function toKey(row: Selectable<OperatorKeyTable>): OperatorKey {
  return {
    id: row.id,
    operator: row.operator_id,
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    allowedRanges: JSON.parse(row.allowed_ranges),
  }
}

export async function insertKey(tx: Tx, key: OperatorKey, hash: string): Promise<void> {
  await tx.query
    .insertInto('operator_key')
    .values({
      id: key.id,
      operator_id: key.operator,
      name: key.name,
      hash,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      last_used_at: key.lastUsedAt,
      allowed_ranges: JSON.stringify(key.allowedRanges),
    })
    .execute()
}

export async function listKeys(tx: Tx, operator?: string): Promise<OperatorKey[]> {
  const rows = await tx.query
    .selectFrom('operator_key')
    .selectAll()
    .$if(operator !== undefined, (query) => query.where('operator_id', '=', operator as string))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toKey)
}

export async function findKey(tx: Tx, id: string): Promise<{ key: OperatorKey; hash: string } | undefined> {
  const row = await tx.query.selectFrom('operator_key').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { key: toKey(row), hash: row.hash }
}

export async function lockKey(tx: Tx, id: string): Promise<OperatorKey | undefined> {
  const found = tx.query.selectFrom('operator_key').selectAll().where('id', '=', id)
  const row = await tx.lockRow(found).executeTakeFirst()
  return row && toKey(row)
}

export async function updateKey(
  tx: Tx,
  id: string,
  { expiresAt, revokedAt, lastUsedAt }: { expiresAt?: string; revokedAt?: string; lastUsedAt?: string },
): Promise<void> {
  await tx.query
    .updateTable('operator_key')
    .set({ expires_at: expiresAt, revoked_at: revokedAt, last_used_at: lastUsedAt })
    .where('id', '=', id)
    .execute()
}
