import { sql } from 'kysely'
import type { Tx } from '../engine.ts'
import { isReal, whereReal } from '../real.ts'
import { statement } from '../statement.ts'
import { lookedAtMost } from './newest-first.ts'

export interface MinuteCount {
  minute: string
  /** Empty where nobody was recognised, `*` for all but the busiest. */
  partner: string
  status: number
  count: number
}

const busiest = statement<{
  partner: string
}>(`select partner from request_count where minute >= $1 and ${isReal('partner')}
  group by partner order by sum(requests) desc, partner limit 8`)

/** By minute, for the busiest partners one by one. */
export async function countsSince(tx: Tx, minute: string): Promise<MinuteCount[]> {
  const named = (await tx.rows(busiest, minute)).map(({ partner }) => partner)
  if (named.length === 0) return []
  const shown = sql<string>`case when partner in (${sql.join(named)}) then partner else '*' end`
  const { rows } =
    await sql<MinuteCount>`select minute, shown as partner, status, cast(sum(requests) as bigint) as count
    from (select minute, ${shown} as shown, status, requests from request_count
      where minute >= ${minute} and ${whereReal('partner')}) counted
    group by minute, shown, status order by minute, shown, status`.execute(tx.query)
  return rows
}

export interface MinuteLatency {
  minute: string
  meanUs: number
  slowestUs: number
}

const latency = statement<MinuteLatency>(`select minute, cast(sum(duration_us) / sum(requests) as bigint) as "meanUs",
  max(slowest_us) as "slowestUs" from request_count where minute >= $1 and ${isReal('partner')}
  group by minute order by minute`)

export async function latencySince(tx: Tx, minute: string): Promise<MinuteLatency[]> {
  return tx.rows(latency, minute)
}

export interface RefusedCount {
  partner: string | null
  code: string | null
  count: number
}

const refused = statement<RefusedCount>(`select partner, code, count(*) as count from (
    select partner, code, status from request_log where at >= $1 order by at desc, seq desc limit ${lookedAtMost}) recent
  where status >= 400 and (partner is null or ${isReal('partner')}) group by partner, code order by count desc, partner, code limit 50`)

/** Among the newest entries of the log. */
export async function refusedSince(tx: Tx, at: string): Promise<RefusedCount[]> {
  return tx.rows(refused, at)
}

export interface OpenRooms {
  facility: string
  name: string
  open: number
  areas: number
}

const openRooms = statement<OpenRooms>(`select f.id_external as facility, f.name, o.rooms as open,
    (select count(*) from area where area.facility_id = o.facility_id) as areas
  from (select facility_id, count(*) as rooms from area
    where cycle is not null and facility_id not in (select facility_id from sandbox_facility) group by facility_id
    order by rooms desc, facility_id limit 20) o
  join facility f on f.id = o.facility_id order by o.rooms desc, f.id`)

/** Of the facilities that have most. */
export async function mostOpenRooms(tx: Tx): Promise<OpenRooms[]> {
  return tx.rows(openRooms)
}
