import type { Representation } from '../domain/representation.ts'
import type { Room } from '../domain/room/stored-room.ts'
import type { BatchTx, Engine, Tx } from './engine.ts'
import { statement } from './statement.ts'

/** Identifies a stored Idempotency-Key. The same text from another partner, or to another path, is another key. */
interface KeyId {
  partner: string
  path: string
  key: string
}

export interface StoredKey {
  bodyHash: string
  response: Representation
  /** Whether the room was opened or closed after the key was used, which deleted the stored response. */
  ended: boolean
}

interface KeyRow {
  body_hash: string
  answer: string
  etag: string
  ended: number
}

const used = 'from idempotency_key where partner_id = $1 and path = $2 and key = $3 and created_at > $4'
const record = statement<KeyRow>(`select body_hash, answer, etag, ended ${used}`)
const exists = statement(`select 1 as used ${used}`)

export async function findKey(
  tx: BatchTx,
  { partner, path, key }: KeyId,
  notBefore: string,
): Promise<StoredKey | undefined> {
  const [row] = await tx.rows(record, partner, path, key, notBefore)
  return row && { bodyHash: row.body_hash, response: { json: row.answer, etag: row.etag }, ended: row.ended === 1 }
}

/** Returns whether the key was used. Cheaper than `findKey`, since it does not load the stored response. */
export async function hasKey(tx: BatchTx, { partner, path, key }: KeyId, notBefore: string): Promise<boolean> {
  return (await tx.rows(exists, partner, path, key, notBefore)).length > 0
}

const hashOf = statement<{ hash: string | null }>(
  'select max(body_hash) as hash from idempotency_key where path = $1 and partner_id = $2 and created_at > $3',
)

/**
 * Returns the hash of the body that the partner sent with the keys under this path: the operations of a bulk request
 * have one key each, all with the hash of the same body. Empty if all stored responses were deleted, because their
 * rooms were opened or closed; null if there are no keys.
 */
export async function findHash(
  ask: Engine['ask'],
  partner: string,
  path: string,
  notBefore: string,
): Promise<string | null> {
  const [row] = await ask(hashOf, path, partner, notBefore)
  return row?.hash ?? null
}

const refused = statement<{ key: string; json: string }>(`
  select key, answer as json from idempotency_key
  where etag = '' and ended = 0 and partner_id = $1 and path = $2 and created_at > $3`)

/** Returns the stored refusals: only a refusal is stored without an ETag. */
export async function findRefused(ask: Engine['ask'], partner: string, path: string, notBefore: string) {
  return ask(refused, partner, path, notBefore)
}

/** Returns a map from full ids to area ids, for those rooms of the facility that exist. */
export async function areaIds(tx: Tx, facilityId: number, fullIds: string[]): Promise<Map<string, string>> {
  if (fullIds.length === 0) return new Map()
  const query = tx.query.selectFrom('area').select(['id', 'id_external']).where('facility_id', '=', facilityId)
  const found = await query.where('id_external', 'in', fullIds).execute()
  return new Map(found.map(({ id, id_external }) => [id_external, id]))
}

const upsert = statement(`
  insert into idempotency_key (partner_id, path, key, area_id, body_hash, answer, etag, ended, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, 0, $8)
  on conflict (partner_id, path, key) do update set area_id = excluded.area_id, body_hash = excluded.body_hash,
    answer = excluded.answer, etag = excluded.etag, ended = 0, created_at = excluded.created_at`)

/** Stores the response to a request with a key, in place of an earlier one for this key, such as an expired one. */
export function storeKey(
  tx: BatchTx,
  { partner, path, key }: KeyId,
  room: Pick<Room, 'id'>,
  { bodyHash, response }: Omit<StoredKey, 'ended'>,
  now: string,
): void {
  tx.post(upsert, partner, path, key, room.id, bodyHash, response.json, response.etag, now)
}

const end = statement(`
  update idempotency_key set body_hash = '', answer = '', etag = '', ended = 1 where area_id = $1 and ended = 0`)

/** Deletes the stored responses about a room. The keys stay, so that a retry is refused and not carried out again. */
export function endKeys(tx: BatchTx, room: Room): void {
  tx.post(end, room.id)
}

export async function deleteKeysBefore(tx: Tx, createdBefore: string, limit: number): Promise<number> {
  const old = await tx.query
    .selectFrom('idempotency_key')
    .where('created_at', '<=', createdBefore)
    .orderBy('created_at')
    .limit(limit)
    .select(['partner_id', 'path', 'key'])
    .execute()
  for (const { partner_id, path, key } of old) {
    await tx.query
      .deleteFrom('idempotency_key')
      .where('partner_id', '=', partner_id)
      .where('path', '=', path)
      .where('key', '=', key)
      .where('created_at', '<=', createdBefore)
      .execute()
  }
  return old.length
}
