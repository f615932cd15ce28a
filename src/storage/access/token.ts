import type { Selectable } from 'kysely'
import { endKnownFromStart, type Token } from '../../domain/access/token.ts'
import type { Tx } from '../engine.ts'
import { statement } from '../statement.ts'
import type { TokenTable } from '../table-rows.ts'

const columns = [
  'token.id',
  'token.partner_id',
  'token.name',
  'token.created_at',
  'token.expires_at',
  'token.revoked_at',
  'token.last_used_at',
  'token.allowed_ranges',
  'token.successor',
  'token.rotate_by',
] as const

function toToken(row: Selectable<Omit<TokenTable, 'announced_end' | 'hash'>>): Token {
  return {
    id: row.id,
    partner: row.partner_id,
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    allowedRanges: JSON.parse(row.allowed_ranges),
    successor: row.successor,
    rotateBy: row.rotate_by,
  }
}

const touch = statement(
  'update token set last_used_at = $1 where id = $2 and (last_used_at is null or last_used_at < $1)',
)

/** Keeps the stored minute if it is later, as nodes may report late. */
export function touchTokens(tx: Tx, usedAtMinuteById: (readonly [id: string, minute: string])[]): void {
  // All nodes lock the rows in the same order, so that they do not deadlock.
  for (const [id, minute] of usedAtMinuteById.toSorted(([a], [b]) => (a < b ? -1 : 1))) tx.post(touch, minute, id)
}

const namesOf = statement<{ id: string; name: string }>('select id, name from token where partner_id = $1')

/** Returns a map from the public ids of a partner's tokens, including revoked ones, to their names. */
export async function tokenNames(tx: Tx, partner: string): Promise<Map<string, string>> {
  return new Map((await tx.rows(namesOf, partner)).map(({ id, name }) => [id, name]))
}

export async function insertToken(tx: Tx, token: Token, hash: string): Promise<void> {
  await tx.query
    .insertInto('token')
    .values({
      id: token.id,
      partner_id: token.partner,
      name: token.name,
      hash,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
      revoked_at: token.revokedAt,
      last_used_at: token.lastUsedAt,
      allowed_ranges: JSON.stringify(token.allowedRanges),
      successor: token.successor,
      rotate_by: token.rotateBy,
      announced_end: endKnownFromStart(token),
    })
    .execute()
}

const byHash = statement<{ id: string; partner: string }>('select id, partner_id as partner from token where hash = $1')

/** Finds the token with this hash. Also finds a revoked token. */
export async function tokenWithHash(tx: Tx, hash: string): Promise<{ id: string; partner: string } | undefined> {
  return (await tx.rows(byHash, hash))[0]
}

export async function lockToken(tx: Tx, id: string): Promise<Token | undefined> {
  const row = await tx.lockRow(tx.query.selectFrom('token').select(columns).where('id', '=', id)).executeTakeFirst()
  return row && toToken(row)
}

export async function listTokens(tx: Tx, partner?: string): Promise<Token[]> {
  const rows = await tx.query
    .selectFrom('token')
    .select(columns)
    .$if(partner !== undefined, (query) => query.where('partner_id', '=', partner as string))
    .orderBy('partner_id')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toToken)
}

export async function updateToken(
  tx: Tx,
  id: string,
  change: Partial<Pick<Token, 'name' | 'expiresAt' | 'revokedAt' | 'allowedRanges' | 'successor'>>,
): Promise<void> {
  const { name, expiresAt, revokedAt, allowedRanges, successor } = change
  const allowed_ranges = allowedRanges && JSON.stringify(allowedRanges)
  await tx.query
    .updateTable('token')
    .set({ name, expires_at: expiresAt, revoked_at: revokedAt, allowed_ranges, successor })
    .where('id', '=', id)
    .execute()
}
