import type { Bytes } from '../domain/bytes.ts'
import type { Facility, FacilityCounts, FacilityProperty } from '../domain/facility.ts'
import { andThen, type MaybePromise } from '../domain/maybe.ts'
import { foldedWords } from '../domain/text.ts'
import type { BatchTx, Engine, Tx } from './engine.ts'
import { isOutsideSandbox, whereOutsideSandbox } from './sandbox-filter.ts'
import { rendered, rendering, type Statement, statement } from './statement.ts'
import type { FacilityTable } from './table-rows.ts'

interface FacilitySelection {
  partner: string
  /** Whether a grant of the partner covers all facilities. */
  every: boolean
  status: string | undefined
  type?: string | undefined
  afterId: number | undefined
  limit: number | undefined
}

type Summary = Pick<Facility, 'id' | 'idExternal' | 'name' | 'status'>

export async function listFacilities(tx: Tx, selection: FacilitySelection): Promise<Summary[]> {
  const { partner, every, status, type, afterId, limit } = selection
  // A join instead of `in (…)`: the database then finds a page through the partner's grants and does not scan all.
  const granted = tx.query
    .selectFrom('partner_grant_facility')
    .where('partner_id', '=', partner)
    .$if(afterId !== undefined, (query) => query.where('facility_id', '>', afterId as number))
    .select('facility_id')
    .distinct()
    .as('granted')
  const rows = await tx.query
    .selectFrom('facility')
    .select(['id', 'id_external as idExternal', 'name', 'status'])
    .$if(every, (query) => query.where(whereOutsideSandbox('id_external')))
    .$if(!every, (query) => query.innerJoin(granted, 'granted.facility_id', 'facility.id'))
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$if(type !== undefined, (query) => query.where('type', '=', type as string))
    .$if(afterId !== undefined, (query) => query.where('id', '>', afterId as number))
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .orderBy('id')
    .execute()
  return rows
}

const summaries = `'[' || coalesce(string_agg('{"id":' || id || ',"id_external":"' || id_external || '","name":'
  || json_quote(name) || ',"status":"' || status || '"}', ',' order by id), '') || ']'`
const everySummary = rendering(summaries, ` from facility where ${isOutsideSandbox('id_external')}`)
const grantedSummaries = rendering(
  summaries,
  ` from (
  select distinct f.id, f.id_external, f.name, f.status from partner_grant_facility c
  join facility f on f.id = c.facility_id where c.partner_id = $1) facility`,
)

/** `every`: whether a grant of the partner covers all facilities. */
export function facilitiesBody(ask: Engine['ask'], partner: string, every: boolean): MaybePromise<Bytes> {
  return every ? rendered(ask, everySummary) : rendered(ask, grantedSummaries, partner)
}

// No `*`: another node with a newer version may add a column, and a database server refuses to run a prepared statement
// whose result columns have changed.
const facilityColumns = `id, id_external, name, name_words, status, type, ssid_public, subscription_url, subscribed,
  timezone, room_services, address, devices, date_created, date_updated`
const withCounts = statement<FacilityTable & { areas: number; entries: number | null }>(`
  select ${facilityColumns}, (select count(*) from area where facility_id = f.id) as areas,
    (select entries_count from autocomplete_list where facility_id = f.id) as entries
  from facility f where f.id_external = $1`)

type Rows = Pick<Tx, 'rows'>['rows']

export interface CountedFacility {
  facility: Facility
  counts: FacilityCounts
}

export function findFacility(
  rows: Rows | Engine['ask'],
  idExternal: string,
): MaybePromise<CountedFacility | undefined> {
  return andThen(rows(withCounts, idExternal), ([row]) => {
    return row && { facility: toFacility(row), counts: { areas: row.areas, listEntries: row.entries ?? 0 } }
  })
}

const updateStatements = Object.fromEntries(
  (['name', 'ssid_public', 'subscription_url'] satisfies FacilityProperty[]).map((property) => [
    property,
    statement(
      property === 'name'
        ? 'update facility set name = $1, date_updated = $2, name_words = $4 where id = $3'
        : `update facility set ${property} = $1, date_updated = $2 where id = $3`,
    ),
  ]),
)

export function lockWithCounts(tx: BatchTx, idExternal: string): MaybePromise<CountedFacility | undefined> {
  return findFacility(tx.lockedRows, idExternal)
}

export function updateProperty(
  tx: BatchTx,
  id: number,
  property: FacilityProperty,
  value: string | null,
  now: string,
): void {
  const words = property === 'name' ? [foldedWords(value ?? '')] : []
  tx.post(updateStatements[property] as Statement, value, now, id, ...words)
}

const lockable = statement<{ id: number }>('select id from facility where id_external = $1')

export async function lockFacility(tx: Tx, idExternal: string): Promise<{ id: number } | undefined> {
  return (await tx.lockedRows(lockable, idExternal))[0]
}

export function toFacility(row: FacilityTable): Facility {
  return {
    id: row.id,
    idExternal: row.id_external,
    name: row.name,
    status: row.status,
    type: row.type,
    ssidPublic: row.ssid_public,
    subscriptionUrl: row.subscription_url,
    subscribed: row.subscribed === 1,
    timezone: row.timezone,
    roomServices: row.room_services === 1,
    address: row.address === null ? null : JSON.parse(row.address),
    devices: JSON.parse(row.devices),
    dateCreated: row.date_created,
    dateUpdated: row.date_updated,
  }
}
