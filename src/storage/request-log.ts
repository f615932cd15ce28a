import type { LoggedRequest, RequestCount } from '../domain/request.ts'
import type { Tx } from './engine.ts'
import { statement } from './statement.ts'

const insert = statement(`
  insert into request_log (at, partner, token, method, route, facility, area, status, code, detail, duration_us,
    request_id, address, rooms_needed)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`)

/** `roomsNeeded` has the operations of a bulk call that need a grant, separated by spaces. */
export interface NewRequest extends Omit<LoggedRequest, 'seq'> {
  roomsNeeded: string | null
}

export function insertRequests(tx: Tx, requests: NewRequest[]): void {
  for (const request of requests) {
    tx.post(
      insert,
      request.at,
      request.partner,
      request.token,
      request.method,
      request.route,
      request.facility,
      request.area,
      request.status,
      request.code,
      request.detail,
      request.durationUs,
      request.requestId,
      request.address,
      request.roomsNeeded,
    )
  }
}

const add = statement(`
  insert into request_count (minute, partner, status, requests, duration_us, slowest_us)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (minute, partner, status) do update set
    requests = request_count.requests + excluded.requests,
    duration_us = request_count.duration_us + excluded.duration_us,
    slowest_us = case when excluded.slowest_us > request_count.slowest_us
      then excluded.slowest_us else request_count.slowest_us end`)

/** Sorts by the primary key: all nodes then lock rows in one order, without deadlocks, and write neighbors together. */
export function inOrder<Kind>(counts: RequestCount<Kind>[]): RequestCount<Kind>[] {
  const keyed = counts.map((count) => ({ key: `${count.minute} ${count.partner} ${count.kind}`, count }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ count }) => count)
}

/** Adds counts that are sorted by `inOrder`: otherwise two nodes could deadlock. */
export function addCounts(tx: Tx, counts: RequestCount<number>[]): void {
  for (const { minute, partner, kind, requests, durationUs, slowestUs } of counts) {
    tx.post(add, minute, partner, kind, requests, durationUs, slowestUs)
  }
}

const addRefusal = statement(`
  insert into refusal_count (minute, partner, code, requests) values ($1, $2, $3, $4)
  on conflict (minute, partner, code) do update set requests = refusal_count.requests + excluded.requests`)

/** Adds counts that are sorted by primary key: otherwise two nodes could deadlock. */
export function addRefusals(tx: Tx, refusals: RequestCount<string>[]): void {
  for (const { minute, partner, kind, requests } of refusals) tx.post(addRefusal, minute, partner, kind, requests)
}

const findFacility = statement<{ id: string }>('select id_external as id from facility where id_external = $1')
const findArea = statement<{ id: string; facility: string }>(`
  select area.id_external as id, facility.id_external as facility
  from area inner join facility on facility.id = area.facility_id where area.id_external = $1`)

/** Returns the existing facility ids, each mapped to itself, and area ids, each mapped to the id of its facility. */
export async function existingIds(tx: Tx, facilities: string[], areas: string[]): Promise<Map<string, string>[]> {
  const [found, rooms] = await Promise.all([
    existingFacilities(tx, facilities),
    Promise.all(areas.map((id) => tx.rows(findArea, id))),
  ])
  return [new Map([...found].map((id) => [id, id])), new Map(rooms.flat().map(({ id, facility }) => [id, facility]))]
}

export async function existingFacilities(tx: Tx, ids: string[]): Promise<Set<string>> {
  const found = await Promise.all(ids.map((id) => tx.rows(findFacility, id)))
  return new Set(found.flat().map(({ id }) => id))
}

const newest = statement<{ seq: number }>('select seq from request_log where seq > 0 order by seq desc limit 1')

export async function lastRequest(tx: Tx): Promise<number> {
  const [row] = await tx.rows(newest)
  return row?.seq ?? 0
}

const lastOfSurplus = statement<{ seq: number }>(
  'select seq from request_log where seq <= $1 order by seq limit 1 offset $2',
)
const deleteUpTo = statement('delete from request_log where seq <= $1')
const lastOfOld = statement<{ at: string }>('select at from request_log where at < $1 order by at limit 1 offset $2')
const deleteBefore = statement('delete from request_log where at < $1')
const deleteAt = statement('delete from request_log where at <= $1')
const deleteCountsBefore = statement('delete from request_count where minute < $1')
const deleteRefusalsBefore = statement('delete from refusal_count where minute < $1')

interface Retention {
  oldest: string
  rows: number
}

/** Deletes a batch of the requests that are too old or too many. Returns whether there may be more to delete. */
export async function deleteOldRequests(tx: Tx, { oldest, rows }: Retention, limit: number): Promise<boolean> {
  const surplus = (await lastRequest(tx)) - rows
  const [lastSurplus] = await tx.rows(lastOfSurplus, surplus, limit)
  tx.post(deleteUpTo, lastSurplus?.seq ?? surplus)
  const [old] = await tx.rows(lastOfOld, oldest, limit)
  if (old === undefined) tx.post(deleteBefore, oldest)
  else tx.post(deleteAt, old.at)
  tx.post(deleteCountsBefore, oldest)
  tx.post(deleteRefusalsBefore, oldest)
  return lastSurplus !== undefined || old !== undefined
}
