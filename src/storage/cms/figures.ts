import { sql } from 'kysely'
import type { Tx } from '../engine.ts'
import { isOutsideSandbox, whereOutsideSandbox } from '../sandbox-filter.ts'
import { statement } from '../statement.ts'

export interface MinuteCount {
  minute: string
  /** One of the busiest partners, `*` for all others together, or empty for requests without a valid token. */
  partner: string
  status: number
  count: number
}

const busiest = statement<{
  partner: string
}>(`select partner from request_count where minute >= $1 and ${isOutsideSandbox('partner')}
  group by partner order by sum(requests) desc, partner limit 8`)

/** Counts requests by minute and status, for each of the eight busiest partners and for all others together. */
export async function countsSince(tx: Tx, minute: string): Promise<MinuteCount[]> {
  const named = (await tx.rows(busiest, minute)).map(({ partner }) => partner)
  if (named.length === 0) return []
  const shown = sql<string>`case when partner in (${sql.join(named)}) then partner else '*' end`
  const { rows } =
    await sql<MinuteCount>`select minute, shown as partner, status, cast(sum(requests) as bigint) as count
    from (select minute, ${shown} as shown, status, requests from request_count
      where minute >= ${minute} and ${whereOutsideSandbox('partner')}) counted
    group by minute, shown, status order by minute, shown, status`.execute(tx.query)
  return rows
}

export interface MinuteLatency {
  minute: string
  meanUs: number
  slowestUs: number
}

const latency = statement<MinuteLatency>(`select minute, cast(sum(duration_us) / sum(requests) as bigint) as "meanUs",
  max(slowest_us) as "slowestUs" from request_count where minute >= $1 and ${isOutsideSandbox('partner')}
  group by minute order by minute`)

export async function latencySince(tx: Tx, minute: string): Promise<MinuteLatency[]> {
  return tx.rows(latency, minute)
}

export interface RefusedCount {
  partner: string | null
  code: string
  count: number
}

/** The most pairs of partner and problem code that are listed. The `total` beside the list counts all pairs. */
const maxShown = 50

const refused = statement<RefusedCount & { total: number }>(`
  select nullif(partner, '') as partner, code, cast(sum(requests) as bigint) as count, count(*) over () as total
  from refusal_count where minute >= $1 and ${isOutsideSandbox('partner')}
  group by partner, code order by sum(requests) desc, partner, code limit ${maxShown}`)

export async function refusedSince(tx: Tx, minute: string): Promise<{ rows: RefusedCount[]; total: number }> {
  const rows = await tx.rows(refused, minute)
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

export interface OpenRooms {
  facility: string
  name: string
  open: number
  areas: number
}

const inSandbox = 'facility_id in (select facility_id from sandbox_facility)'

const openRooms = statement<OpenRooms>(`select f.id_external as facility, f.name, o.rooms as open,
    (select count(*) from area where area.facility_id = o.facility_id) as areas
  from (select facility_id, count(*) as rooms from area where cycle is not null and not ${inSandbox}
    group by facility_id order by rooms desc, facility_id limit 20) o
  join facility f on f.id = o.facility_id order by o.rooms desc, f.id`)

export async function mostOpenRooms(tx: Tx): Promise<OpenRooms[]> {
  return tx.rows(openRooms)
}

/** The numbers of facilities and rooms in the installation, without those of sandboxes. */
export interface RoomTotals {
  facilities: number
  facilitiesOpen: number
  areas: number
  open: number
  lists: number
}

// Subtracts the rows in sandboxes instead of filtering them out: the database then counts by reading only an index.
const totals = statement<RoomTotals>(`select
  (select count(*) from facility) - (select count(*) from sandbox_facility) as facilities,
  (select count(distinct facility_id) from area where cycle is not null and not ${inSandbox}) as "facilitiesOpen",
  (select count(*) from area) - (select count(*) from area where ${inSandbox}) as areas,
  (select count(*) from area where cycle is not null and not ${inSandbox}) as open,
  (select count(*) from autocomplete_list) - (select count(*) from autocomplete_list where ${inSandbox}) as lists`)

export async function roomTotals(tx: Tx): Promise<RoomTotals> {
  return (await tx.rows(totals))[0] as RoomTotals
}
