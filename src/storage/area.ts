import type { Area } from '../domain/area.ts'
import type { Facility } from '../domain/facility.ts'
import type { Tx } from './engine.ts'
import type { AreaTable } from './tables.ts'

/** A place in the natural order of a facility's areas. */
export interface AreaPlace {
  sortKey: string
  short: string
}

export async function listAreas(tx: Tx, facility: Facility, after?: AreaPlace, limit?: number): Promise<Area[]> {
  const rows = await tx.query
    .selectFrom('area')
    .selectAll()
    .where('facility_id', '=', facility.id)
    .$if(after !== undefined, (query) =>
      query.where((where) => {
        const { sortKey, short } = after as AreaPlace
        return where(where.refTuple('sort_key', 'id_short'), '>', where.tuple(sortKey, short))
      }),
    )
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .orderBy('sort_key')
    .orderBy('id_short')
    .execute()
  return rows.map((row) => toArea(row, facility.idExternal))
}

/** With `lock`, nobody else changes the room until the transaction ends. */
export async function findArea(tx: Tx, fullId: string, options: { lock?: boolean } = {}): Promise<Area | undefined> {
  if (options.lock)
    await tx.lockRow(tx.query.selectFrom('area').select('id').where('id_external', '=', fullId)).execute()
  const row = await tx.query
    .selectFrom('area')
    .innerJoin('facility', 'facility.id', 'area.facility_id')
    .selectAll('area')
    .select('facility.id_external as facility')
    .where('area.id_external', '=', fullId)
    .executeTakeFirst()
  return row && toArea(row, row.facility)
}

export async function setCycle(tx: Tx, area: Area, cycle: string | null, now: string): Promise<Area> {
  const openedAt = cycle === null ? null : now
  await tx.query
    .updateTable('area')
    .set({ cycle, opened_at: openedAt, date_updated: now })
    .where('id', '=', area.id)
    .execute()
  return { ...area, cycle, openedAt, dateUpdated: now }
}

export async function touchArea(tx: Tx, area: Area, now: string): Promise<Area> {
  await tx.query.updateTable('area').set({ date_updated: now }).where('id', '=', area.id).execute()
  return { ...area, dateUpdated: now }
}

export async function shortIdsOf(tx: Tx, facility: Facility): Promise<string[]> {
  const rows = await tx.query.selectFrom('area').where('facility_id', '=', facility.id).select('id_short').execute()
  return rows.map(({ id_short }) => id_short)
}

export function toArea(row: AreaTable, facility: string): Area {
  return {
    id: row.id,
    facilityId: row.facility_id,
    facility,
    short: row.id_short,
    name: row.name,
    openedAt: row.opened_at,
    cycle: row.cycle,
    dateCreated: row.date_created,
    dateUpdated: row.date_updated,
    dataGeneral: JSON.parse(row.data_general),
  }
}
