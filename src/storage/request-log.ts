import { sql } from 'kysely'
import type { LoggedRequest, RequestCount } from '../domain/request.ts'
import { inRuns, insertInRuns } from './bulk.ts'
import type { Tx } from './engine.ts'
import { statement } from './statement.ts'

export async function insertRequests(tx: Tx, requests: Omit<LoggedRequest, 'seq'>[]): Promise<void> {
  const rows = requests.map(({ durationUs: duration_us, requestId: request_id, ...request }) => ({
    at: request.at,
    partner: request.partner,
    token: request.token,
    method: request.method,
    route: request.route,
    facility: request.facility,
    area: request.area,
    status: request.status,
    code: request.code,
    detail: request.detail,
    duration_us,
    request_id,
    address: request.address,
  }))
  await insertInRuns(tx, rows, (run) => tx.query.insertInto('request_log').values(run))
}

/** Added to what other nodes have counted. All of them take the rows in one order, so that none waits for another in a ring. */
export async function addCounts(tx: Tx, counts: RequestCount[]): Promise<void> {
  const rows = counts
    .map(({ minute, partner, status, requests, durationUs, slowestUs }) => {
      const row = { minute, partner, status, requests, duration_us: durationUs, slowest_us: slowestUs }
      return { place: `${minute} ${partner} ${status}`, row }
    })
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ row }) => row)
  await insertInRuns(tx, rows, (run) =>
    tx.query
      .insertInto('request_count')
      .values(run)
      .onConflict((conflict) =>
        conflict.columns(['minute', 'partner', 'status']).doUpdateSet({
          requests: sql`request_count.requests + excluded.requests`,
          duration_us: sql`request_count.duration_us + excluded.duration_us`,
          slowest_us: sql`case when excluded.slowest_us > request_count.slowest_us
            then excluded.slowest_us else request_count.slowest_us end`,
        }),
      ),
  )
}

/** Of these ids those that there are: facilities by themselves, areas with the facility they are in. */
export async function knownPlaces(tx: Tx, facilities: string[], areas: string[]): Promise<Map<string, string>[]> {
  const found = await inRuns(facilities, (run) =>
    tx.query.selectFrom('facility').select('id_external as id').where('id_external', 'in', run).execute(),
  )
  const rooms = await inRuns(areas, (run) =>
    tx.query
      .selectFrom('area')
      .innerJoin('facility', 'facility.id', 'area.facility_id')
      .select(['area.id_external as id', 'facility.id_external as facility'])
      .where('area.id_external', 'in', run)
      .execute(),
  )
  return [new Map(found.map(({ id }) => [id, id])), new Map(rooms.map(({ id, facility }) => [id, facility]))]
}

const newest = statement<{ seq: number }>('select seq from request_log where seq > 0 order by seq desc limit 1')
const lastOfSurplus = statement<{ seq: number }>(
  'select seq from request_log where seq <= $1 order by seq limit 1 offset $2',
)
const deleteUpTo = statement('delete from request_log where seq <= $1')
const lastOfOld = statement<{ at: string }>('select at from request_log where at < $1 order by at limit 1 offset $2')
const deleteBefore = statement('delete from request_log where at < $1')
const deleteAt = statement('delete from request_log where at <= $1')
const deleteCountsBefore = statement('delete from request_count where minute < $1')

export interface Retention {
  /** What is older goes. */
  oldest: string
  /** What is beyond the newest so many goes. */
  rows: number
}

/** Deletes some and answers whether there may be more. */
export async function deleteOldRequests(tx: Tx, { oldest, rows }: Retention, atMost: number): Promise<boolean> {
  const [last] = await tx.rows(newest)
  const surplus = (last?.seq ?? 0) - rows
  const [some] = await tx.rows(lastOfSurplus, surplus, atMost)
  tx.post(deleteUpTo, some?.seq ?? surplus)
  const [old] = await tx.rows(lastOfOld, oldest, atMost)
  if (old === undefined) tx.post(deleteBefore, oldest)
  else tx.post(deleteAt, old.at)
  tx.post(deleteCountsBefore, oldest)
  return some !== undefined || old !== undefined
}
