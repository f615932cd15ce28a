import { type Facility, type FacilityCounts, type FacilityProperty, facilityProperties } from '../domain/facility.ts'
import type { Tx } from './engine.ts'
import type { FacilityTable } from './tables.ts'

export interface FacilitySelection {
  partner: string
  /** All facilities instead of the partner's own. */
  every: boolean
  status: string | undefined
  afterId: number | undefined
  limit: number | undefined
}

type Summary = Pick<Facility, 'id' | 'idExternal' | 'name' | 'status'>

export async function listFacilities(tx: Tx, selection: FacilitySelection): Promise<Summary[]> {
  const { partner, every, status, afterId, limit } = selection
  // Distinct and joined, not `in (…)`: a page is then found along the partner's own rows, not along all facilities.
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
    .$if(!every, (query) => query.innerJoin(granted, 'granted.facility_id', 'facility.id'))
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$if(afterId !== undefined, (query) => query.where('id', '>', afterId as number))
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .orderBy('id')
    .execute()
  return rows
}

export async function findFacility(tx: Tx, idExternal: string): Promise<Facility | undefined> {
  const row = await tx.query.selectFrom('facility').selectAll().where('id_external', '=', idExternal).executeTakeFirst()
  return row && toFacility(row)
}

/** Nobody else changes the facility until the transaction ends. */
export async function lockFacility(tx: Tx, idExternal: string): Promise<void> {
  await tx.lockRow(tx.query.selectFrom('facility').select('id').where('id_external', '=', idExternal)).execute()
}

export async function findFacilityById(tx: Tx, id: number): Promise<Facility | undefined> {
  const row = await tx.query.selectFrom('facility').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toFacility(row)
}

export async function countsOf(tx: Tx, facility: Facility): Promise<FacilityCounts> {
  const areas = await tx.query
    .selectFrom('area')
    .where('facility_id', '=', facility.id)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const list = await tx.query
    .selectFrom('autocomplete_list')
    .where('facility_id', '=', facility.id)
    .select('entries_count')
    .executeTakeFirst()
  return { areas: areas.count, listEntries: list?.entries_count ?? 0 }
}

export async function updateFacilityProperty(
  tx: Tx,
  facility: Facility,
  property: FacilityProperty,
  value: string,
  now: string,
): Promise<Facility> {
  await tx.query
    .updateTable('facility')
    .set({ [property]: value, date_updated: now })
    .where('id', '=', facility.id)
    .execute()
  return { ...facility, [facilityProperties[property]]: value, dateUpdated: now }
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
