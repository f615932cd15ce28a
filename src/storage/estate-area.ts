import { sql } from 'kysely'
import type { Area } from '../domain/area.ts'
import type { Facility } from '../domain/facility.ts'
import { fullId, naturalKey } from '../domain/identifier.ts'
import { toArea } from './area.ts'
import { inRuns, insertInRuns, runs } from './bulk.ts'
import type { Tx } from './engine.ts'
import type { AreaTable } from './tables.ts'

/** The areas of each facility, in their natural order. */
export async function areasOf(tx: Tx, facilities: Facility[]): Promise<Map<number, Area[]>> {
  const external = new Map(facilities.map(({ id, idExternal }) => [id, idExternal]))
  const rows = await inRuns([...external.keys()], (run) =>
    tx.query
      .selectFrom('area')
      .selectAll()
      .where('facility_id', 'in', run)
      .orderBy('facility_id')
      .orderBy('sort_key')
      .orderBy('id_short')
      .execute(),
  )
  const areas = rows.map((row) => toArea(row, external.get(row.facility_id) as string))
  return Map.groupBy(areas, ({ facilityId }) => facilityId)
}

/** An area whose full id another area has already. */
export interface Collision {
  area: Area
  holder: { facility: string; short: string }
}

/** Inserts all but those whose full id is taken, which it gives back. */
export async function insertAreas(tx: Tx, areas: Area[]): Promise<Collision[]> {
  const rows = areas.map(toRow)
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

/** Which columns are written: the others may have been changed meanwhile by somebody else. */
export type AreaField = 'name' | 'dataGeneral'

const columns = { name: 'name', dataGeneral: 'data_general' } as const

/** Many rows at once: an insert that always meets its own row, whose cycle and subscriptions stay. */
export async function updateAreas(tx: Tx, areas: Area[], fields: AreaField[]): Promise<void> {
  const set = Object.fromEntries(fields.map((field) => [columns[field], sql.ref(`excluded.${columns[field]}`)]))
  await insertInRuns(tx, areas.map(toRow), (run) =>
    tx.query
      .insertInto('area')
      .values(run)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ ...set, date_updated: sql.ref('excluded.date_updated') }),
      ),
  )
}

function toRow(area: Area): AreaTable {
  return {
    id: area.id,
    facility_id: area.facilityId,
    id_short: area.short,
    id_external: fullId(area.facility, area.short),
    sort_key: naturalKey(area.short),
    name: area.name,
    data_general: JSON.stringify(area.dataGeneral),
    opened_at: area.openedAt,
    cycle: area.cycle,
    date_created: area.dateCreated,
    date_updated: area.dateUpdated,
  }
}

export async function deleteAreas(tx: Tx, ids: string[]): Promise<void> {
  for (const run of runs(ids)) await tx.query.deleteFrom('area').where('id', 'in', run).execute()
}

/** The number of subscriptions of those areas that have any. */
export async function subscriptionCounts(tx: Tx, areaIds: string[]): Promise<Map<string, number>> {
  const rows = await inRuns(areaIds, (run) =>
    tx.query
      .selectFrom('subscription')
      .where('area_id', 'in', run)
      .groupBy('area_id')
      .select((select) => ['area_id', select.fn.countAll<number>().as('count')])
      .execute(),
  )
  return new Map(rows.map(({ area_id, count }) => [area_id, count]))
}

export interface Contents {
  areas: number
  openRooms: number
  subscriptions: number
}

export async function contentsOf(tx: Tx, facility: Facility): Promise<Contents> {
  const rooms = await tx.query
    .selectFrom('area')
    .where('facility_id', '=', facility.id)
    .select(({ fn }) => [fn.countAll<number>().as('areas'), fn.count<number>('cycle').as('openRooms')])
    .executeTakeFirstOrThrow()
  const { subscriptions } = await tx.query
    .selectFrom('subscription')
    .innerJoin('area', 'area.id', 'subscription.area_id')
    .where('area.facility_id', '=', facility.id)
    .select(({ fn }) => fn.countAll<number>().as('subscriptions'))
    .executeTakeFirstOrThrow()
  return { ...rooms, subscriptions }
}
