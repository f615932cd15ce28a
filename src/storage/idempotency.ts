import type { Representation } from '../domain/representation.ts'
import type { Room } from '../domain/stored-room.ts'
import type { Tx } from './engine.ts'
import { statement } from './statement.ts'

export interface KeyPlace {
  partner: string
  path: string
  key: string
}

export interface KeyRecord {
  bodyHash: string
  answer: Representation
  /** The room was opened or closed since: nothing of the answer is left. */
  ended: boolean
}

export async function findKey(tx: Tx, place: KeyPlace, notBefore: string): Promise<KeyRecord | undefined> {
  const row = await at(tx, place)
    .where('created_at', '>', notBefore)
    .select(['body_hash', 'answer', 'etag', 'ended'])
    .executeTakeFirst()
  return row && { bodyHash: row.body_hash, answer: { json: row.answer, etag: row.etag }, ended: row.ended === 1 }
}

/** Whether the key was used, without what it was answered. */
export async function hasKey(tx: Tx, place: KeyPlace, notBefore: string): Promise<boolean> {
  const row = await at(tx, place).where('created_at', '>', notBefore).select('key').executeTakeFirst()
  return row !== undefined
}

function at(tx: Tx, { partner, path, key }: KeyPlace) {
  return tx.query
    .selectFrom('idempotency_key')
    .where('partner_id', '=', partner)
    .where('path', '=', path)
    .where('key', '=', key)
}

const keep = statement(`
  insert into idempotency_key (partner_id, path, key, area_id, body_hash, answer, etag, ended, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, 0, $8)
  on conflict (partner_id, path, key) do update set area_id = excluded.area_id, body_hash = excluded.body_hash,
    answer = excluded.answer, etag = excluded.etag, ended = 0, created_at = excluded.created_at`)

/** Replaces a record of the same key that is older than the keys' life. */
export function keepKey(
  tx: Tx,
  { partner, path, key }: KeyPlace,
  room: Room,
  { bodyHash, answer }: Omit<KeyRecord, 'ended'>,
  now: string,
): void {
  tx.post(keep, partner, path, key, room.id, bodyHash, answer.json, answer.etag, now)
}

const end = statement(`
  update idempotency_key set body_hash = '', answer = '', etag = '', ended = 1 where area_id = $1 and ended = 0`)

/** What the room's keys remember of the cycle goes with the cycle; that they were used stays known. */
export function endKeysOf(tx: Tx, room: Room): void {
  tx.post(end, room.id)
}

/** Deletes some of the keys and answers how many. */
export async function deleteKeysBefore(tx: Tx, createdBefore: string, atMost: number): Promise<number> {
  const old = await tx.query
    .selectFrom('idempotency_key')
    .where('created_at', '<=', createdBefore)
    .orderBy('created_at')
    .limit(atMost)
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
