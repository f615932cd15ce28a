import { Refusal } from '../../domain/refusal.ts'
import type { BulkOperation, PlainRefusal } from '../../domain/room/bulk-body.ts'
import type { CachedFacility } from '../../storage/cached/facility.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { Db } from '../../storage/database.ts'
import { type IdempotentRequest, loadRefused, storeRefused } from '../idempotency.ts'
import { roomsOf } from './bulk-operation.ts'

/** Returns the key under which the result of one operation of a call with this Idempotency-Key is stored. */
export function responseKey({ path, key, bodyHash }: IdempotentRequest, index: number): IdempotentRequest {
  return { path: `${path} ${key}`, key: String(index), bodyHash }
}

/** Returns the refusals of an earlier call with this Idempotency-Key, by the index of the operation. */
export async function loadRefusals(
  db: Db,
  partner: CachedPartner,
  once: IdempotentRequest,
): Promise<Map<number, Refusal>> {
  const stored = await loadRefused(db, partner, responseKey(once, 0))
  return new Map(
    stored.map(({ key, json }) => {
      const { code, message, facts } = JSON.parse(json) as PlainRefusal
      return [Number(key), new Refusal(code, message, facts)]
    }),
  )
}

interface Refused {
  facility: CachedFacility
  operations: BulkOperation[]
  results: unknown[]
}

/**
 * Stores the refusals of a call, so that a retry gets them again: otherwise a move that failed because a room was empty
 * would move the guest who has arrived there since. Each is purged when its room is opened or closed, because it can
 * quote what was sent about a guest. Temporary refusals, such as an overload, are not stored.
 */
export async function storeRefusals(
  db: Db,
  partner: CachedPartner,
  once: IdempotentRequest,
  { facility, operations, results }: Refused,
): Promise<void> {
  const refused = results.flatMap((result, index) => (result instanceof Refusal ? [{ index, refusal: result }] : []))
  const isPassing = refused.some(({ refusal }) => isTemporary(refusal))
  const lasting = refused.filter(
    ({ refusal }) => !isTemporary(refusal) && !(isPassing && refusal.code === 'not_attempted'),
  )
  if (lasting.length === 0) return
  const rows = lasting.map(({ index, refusal: { code, message, facts } }) => ({
    once: responseKey(once, index),
    area: (operations[index] as BulkOperation).area,
    json: JSON.stringify({ code, message, facts } satisfies PlainRefusal),
  }))
  await db.write((tx) => storeRefused(tx, partner, facility.id, [...new Set(operations.flatMap(roomsOf))], rows))
}

function isTemporary({ facts }: Refusal): boolean {
  return facts.retryAfterSeconds !== undefined
}
