import { sql } from 'kysely'
import type { Facility } from '../../domain/facility.ts'
import { fullId, naturalKey } from '../../domain/identifier.ts'
import { type Area, countOf, lengthsOf, roomJson, subscriptionsIn } from '../../domain/room/stored-room.ts'
import { toArea } from '../area.ts'
import type { Tx } from '../engine.ts'
import type { AreaTable } from '../table-rows.ts'
import { inRuns, insertInRuns, runs } from './bulk.ts'

/** Returns a map from facility numbers to the areas of the facility, in natural order (`2` before `10`). */
export async function areasOf(tx: Tx, facilities: Facility[]): Promise<Map<number, Area[]>> {
  const external = new Map(facilities.map(({ id, idExternal }) => [id, idExternal]))
  const rows = await inRuns([...external.keys()], (run) =>
    tx.query
      .selectFrom('area')
      .select(areaColumns)
      .where('facility_id', 'in', run)
      .orderBy('facility_id')
      .orderBy('sort_key')
      .orderBy('id_short')
      .execute(),
  )
  const areas = rows.map((row) => toArea(row, external.get(row.facility_id) as string))
  return Map.groupBy(areas, ({ facilityId }) => facilityId)
}

/** Identifies an area by its facility and its short id. The area need not exist. */
export interface AreaRef {
  facility: Pick<Facility, 'id' | 'idExternal'>
  short: string
}

/** Returns areas by facility number. Unlike `areasOf`, its cost does not depend on the size of the facilities. */
export async function findAreas(tx: Tx, refs: AreaRef[]): Promise<Map<number, Area[]>> {
  const external = new Map(refs.map(({ facility }) => [facility.id, facility.idExternal]))
  const fullIds = refs.map(({ facility, short }) => fullId(facility.idExternal, short))
  const rows = await inRuns(fullIds, (run) =>
    tx.query.selectFrom('area').select(areaColumns).where('id_external', 'in', run).execute(),
  )
  const areas = rows.flatMap((row) => {
    // Skips areas of other facilities, as full ids are ambiguous: area `c` of `a-b` and area `b-c` of `a` are `a-b-c`.
    const facility = external.get(row.facility_id)
    return facility === undefined ? [] : [toArea(row, facility)]
  })
  return Map.groupBy(areas, ({ facilityId }) => facilityId)
}

/** An area that cannot be inserted, since the area `holder` of another facility has the same full id. */
export interface Collision {
  area: Area
  holder: { facility: string; short: string }
}

/** Skips and returns areas whose full id already belongs to another area. */
export async function insertAreas(tx: Tx, areas: Area[]): Promise<Collision[]> {
  const rows = areas.map((area) => toRow(area, { services: [], next_due_at: null }))
  let count = 0
  await insertInRuns(
    tx,
    rows,
    (run) =>
      tx.query
        .insertInto('area')
        .values(run)
        .onConflict((conflict) => conflict.column('id_external').doNothing()),
    ({ numAffectedRows }) => {
      count += Number(numAffectedRows)
    },
  )
  return count === areas.length ? [] : collisionsOf(tx, areas)
}

async function collisionsOf(tx: Tx, areas: Area[]): Promise<Collision[]> {
  const rows = await inRuns(
    areas.map(({ facility, short }) => fullId(facility, short)),
    (run) =>
      tx.query
        .selectFrom('area')
        .innerJoin('facility', 'facility.id', 'area.facility_id')
        .select(['area.id', 'area.id_external', 'area.id_short as short', 'facility.id_external as facility'])
        .where('area.id_external', 'in', run)
        .execute(),
  )
  const holders = new Map(rows.map((row) => [row.id_external, row]))
  return areas.flatMap((area) => {
    const holder = holders.get(fullId(area.facility, area.short))
    return holder === undefined || holder.id === area.id ? [] : [{ area, holder }]
  })
}

export function facilityNumbers(tx: Tx, ids: string[]): Promise<Pick<Facility, 'id' | 'idExternal'>[]> {
  return inRuns(ids, (run) =>
    tx.query
      .selectFrom('facility')
      .select(['id', 'id_external as idExternal'])
      .where('id_external', 'in', run)
      .execute(),
  )
}

/** A room whose full id is also that of an entry in the autocomplete list of another facility. */
export interface RoomElsewhere {
  idExternal: string
  short: string
  facility: string
  dateCreated: string
}

/** Finds rooms by full id in some facilities only, given as a map from their numbers to their external ids. */
export async function roomsIn(tx: Tx, facilities: Map<number, string>, ids: string[]): Promise<RoomElsewhere[]> {
  const rows = await inRuns(ids, (run) =>
    tx.query
      .selectFrom('area')
      .select(['id_external', 'id_short', 'facility_id', 'date_created'])
      .where('id_external', 'in', run)
      .execute(),
  )
  return rows.flatMap(({ id_external, id_short, facility_id, date_created }) => {
    const facility = facilities.get(facility_id)
    if (facility === undefined) return []
    return [{ idExternal: id_external, short: id_short, facility, dateCreated: date_created }]
  })
}

/** The fields of an existing area that an estate file can change. */
export type AreaField = 'name' | 'dataGeneral'

const updatedColumns = ['name', 'data_general', 'date_updated', 'json'] as const

/**
 * Updates many areas with few statements (upserts). First locks and reads them again, since guest data and other fields
 * that are not in the estate file may have changed.
 */
export async function updateAreas(tx: Tx, areas: Area[], fields: AreaField[]): Promise<void> {
  const wanted = new Map(areas.map((area) => [area.id, area]))
  const current = await inRuns([...wanted.keys()].sort(), (run) => {
    const locked = tx.query
      .selectFrom('area')
      .select([...areaColumns, ...guestColumns])
      .where('id', 'in', run)
      .orderBy('id')
    return tx.lockRow(locked).execute()
  })
  const rows = current.map((row) => {
    const { facility, dateUpdated, ...change } = wanted.get(row.id) as Area
    const changed = Object.fromEntries(fields.map((field) => [field, change[field]]))
    const guest = { services: subscriptionsIn(row.json, row.services_lengths), next_due_at: row.next_due_at }
    return toRow({ ...toArea(row, facility), ...changed, dateUpdated }, guest)
  })
  const set = Object.fromEntries(updatedColumns.map((column) => [column, sql.ref(`excluded.${column}`)]))
  await insertInRuns(tx, rows, (run) =>
    tx.query
      .insertInto('area')
      .values(run)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(set)),
  )
}

const areaColumns = [
  'id',
  'facility_id',
  'id_short',
  'id_external',
  'name',
  'data_general',
  'opened_at',
  'cycle',
  'date_created',
  'date_updated',
] as const

const guestColumns = ['json', 'services_lengths', 'next_due_at'] as const

/** The data that an estate file never changes. `services` holds the JSON of each subscription. */
interface GuestData {
  services: string[]
  next_due_at: string | null
}

function toRow(area: Area, { services, next_due_at }: GuestData): AreaTable {
  const { id, facilityId, short, name, openedAt, cycle, dateCreated, dateUpdated } = area
  const idExternal = fullId(area.facility, short)
  const dataGeneral = JSON.stringify(area.dataGeneral)
  const room = { id, facilityId, idExternal, short, name, openedAt, cycle, dateCreated, dateUpdated, dataGeneral }
  return {
    id,
    facility_id: facilityId,
    id_short: short,
    id_external: idExternal,
    sort_key: naturalKey(short),
    name,
    data_general: dataGeneral,
    json: roomJson(room, services),
    services_lengths: lengthsOf(services),
    next_due_at,
    opened_at: openedAt,
    cycle,
    date_created: dateCreated,
    date_updated: dateUpdated,
  }
}

export async function deleteAreas(tx: Tx, ids: string[]): Promise<void> {
  for (const run of runs(ids)) await tx.query.deleteFrom('area').where('id', 'in', run).execute()
}

/** Returns a map from area ids to numbers of subscriptions. Areas without subscriptions are missing in it. */
export async function subscriptionCounts(tx: Tx, areaIds: string[]): Promise<Map<string, number>> {
  const rows = await inRuns(areaIds, (run) =>
    tx.query
      .selectFrom('area')
      .where('id', 'in', run)
      .where('services_lengths', '!=', '')
      .select(['id', 'services_lengths'])
      .execute(),
  )
  return new Map(rows.map(({ id, services_lengths }) => [id, countOf(services_lengths)]))
}

export interface Contents {
  areas: number
  openRooms: number
  subscriptions: number
}

export async function contentsOf(tx: Tx, facility: Facility): Promise<Contents> {
  const rows = await tx.query
    .selectFrom('area')
    .where('facility_id', '=', facility.id)
    .select(['cycle', 'services_lengths'])
    .execute()
  return {
    areas: rows.length,
    openRooms: rows.filter(({ cycle }) => cycle !== null).length,
    subscriptions: rows.reduce((sum, { services_lengths }) => sum + countOf(services_lengths), 0),
  }
}
