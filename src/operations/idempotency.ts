import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Partner } from '../domain/access/partner.ts'
import { Refusal } from '../domain/refusal.ts'
import { etagOf, type Representation } from '../domain/representation.ts'
import type { Room } from '../domain/room/stored-room.ts'
import { nowIso } from '../domain/time.ts'
import type { Db } from '../storage/database.ts'
import type { BatchTx, Tx } from '../storage/engine.ts'
import {
  areaIds,
  deleteKeysBefore,
  findHash,
  findKey,
  findRefused,
  hasKey,
  type StoredKey,
  storeKey,
} from '../storage/idempotency.ts'

export interface IdempotentRequest {
  key: string
  path: string
  bodyHash: string
  /** Whether the key is locked already: a bulk call has locked one key for all its operations, of which this is one. */
  isLocked?: boolean
  /** Earlier operations of the same bulk call. The room as this operation leaves it replaces their stored responses. */
  replaces?: EarlierOperation[]
  /** Like `replaces`, for the room that a guest moves to. */
  replacesInTarget?: EarlierOperation[]
}

export interface EarlierOperation {
  key: string
  isMove: boolean
}

const keyLifeMs = 24 * 3_600_000

function oldest(): string {
  return new Date(Date.now() - keyLifeMs).toISOString()
}

export async function isKeyKnown(
  tx: BatchTx,
  partner: Pick<Partner, 'id'>,
  once: Omit<IdempotentRequest, 'bodyHash'>,
): Promise<boolean> {
  return hasKey(tx, { partner: partner.id, ...once }, oldest())
}

/** Locks the Idempotency-Key until the transaction ends. Refuses the request if another node has locked it. */
export async function claimKey(tx: BatchTx, partner: Pick<Partner, 'id'>, once: IdempotentRequest): Promise<void> {
  if (!once.isLocked && !(await tx.tryLock(claimName(partner, once)))) throw inUse()
}

/** Returns undefined for a new key. */
export function loadStoredKey(
  tx: BatchTx,
  partner: Pick<Partner, 'id'>,
  once: IdempotentRequest,
): Promise<StoredKey | undefined> {
  return findKey(tx, { partner: partner.id, ...once }, oldest())
}

/** Returns undefined for the first request with this key. */
export function storedResponse(record: StoredKey | undefined, once: IdempotentRequest): Representation | undefined {
  if (record === undefined) return undefined
  if (record.ended) throw keyEnded()
  assertSameBody(record.bodyHash, once)
  return record.response
}

export function keyEnded(): Refusal {
  return new Refusal('cycle_ended_for_key', 'The room was opened or closed since this Idempotency-Key was first used.')
}

export function assertSameBody(bodyHash: string, once: IdempotentRequest): void {
  if (bodyHash === once.bodyHash) return
  throw new Refusal('idempotency_key_reused', 'This Idempotency-Key was first used with another body: use a new key.')
}

/**
 * Returns the hash of the body that was sent with the keys of this path; an empty string if all keys have ended,
 * because their rooms were opened or closed after the request; null if there are no keys.
 */
export async function storedHash(
  { ask }: Db,
  partner: Pick<Partner, 'id'>,
  { path }: Pick<IdempotentRequest, 'path'>,
): Promise<string | null> {
  return findHash(ask, partner.id, path, oldest())
}

export function storeResponse(
  tx: BatchTx,
  partner: Pick<Partner, 'id'>,
  once: IdempotentRequest,
  room: Pick<Room, 'id'>,
  response: Representation,
): void {
  const { path, key, bodyHash } = once
  storeKey(tx, { partner: partner.id, path, key }, room, { bodyHash, response }, nowIso())
}

/** Replaces the stored responses of earlier operations of the same bulk call by the JSON of the area as it is now. */
export function replaceResponses(
  tx: BatchTx,
  partner: Pick<Partner, 'id'>,
  once: IdempotentRequest,
  earlier: EarlierOperation[] = [],
  room: Pick<Room, 'id'>,
  json: string,
): void {
  for (const { key, isMove } of earlier) {
    const response = isMove ? movedJson(json, json) : json
    storeResponse(tx, partner, { ...once, key }, room, { json: response, etag: etagOf(json) })
  }
}

export function movedJson(from: string, to: string): string {
  return `{"from":${from},"to":${to}}`
}

/** The ETag that marks a stored refusal; that of a response is never empty. */
const refusedEtag = ''

interface RefusedRequest {
  once: IdempotentRequest
  area: string | undefined
  json: string
}

/**
 * Stores each refusal with its room, whose next opening or closing deletes it. If that room does not exist in the
 * facility, stores it with the first of `areas` that does.
 */
export async function storeRefused(
  tx: Tx,
  partner: Pick<Partner, 'id'>,
  facilityId: number,
  areas: string[],
  refused: RefusedRequest[],
): Promise<void> {
  const ids = await areaIds(tx, facilityId, areas)
  const [any] = ids.values()
  for (const { once, area, json } of refused) {
    const id = ids.get(area ?? '') ?? any
    if (id !== undefined) storeResponse(tx, partner, once, { id }, { json, etag: refusedEtag })
  }
}

export async function loadRefused(
  { ask }: Db,
  partner: Pick<Partner, 'id'>,
  { path }: Pick<IdempotentRequest, 'path'>,
): Promise<{ key: string; json: string }[]> {
  return findRefused(ask, partner.id, path, oldest())
}

/** Runs `work`, and refuses a retry with the same Idempotency-Key that arrives while it runs. */
export async function withKeyClaim<T>(
  db: Db,
  partner: Pick<Partner, 'id'>,
  once: IdempotentRequest,
  work: () => Promise<T>,
): Promise<T> {
  const release = db.claim(claimName(partner, once))
  if (release === undefined) throw inUse()
  try {
    return await work()
  } finally {
    release()
  }
}

function claimName(partner: Pick<Partner, 'id'>, { path, key }: IdempotentRequest): string {
  return JSON.stringify(['idempotency', partner.id, path, key])
}

function inUse(): Refusal {
  return new Refusal('idempotency_key_in_use', 'The first request with this Idempotency-Key is still running.', {
    retryAfterSeconds: 1,
  })
}

/** Deletes expired Idempotency-Keys in small batches, so that no request waits long for a batch. */
export async function pruneIdempotencyKeys(db: Db): Promise<void> {
  while ((await db.write((tx) => deleteKeysBefore(tx, oldest(), batchSize))) === batchSize) await yieldToEventLoop()
}

const batchSize = 200
