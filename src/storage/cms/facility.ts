import { type ExpressionBuilder, sql } from 'kysely'
import type { Facility } from '../../domain/facility.ts'
import { foldedWords } from '../../domain/text.ts'
import type { Tx } from '../engine.ts'
import { toFacility } from '../facility.ts'
import { whereOutsideSandbox } from '../sandbox-filter.ts'
import type { Tables } from '../tables.ts'

export interface FacilityOverview extends Facility {
  areas: number
  openRooms: number
  listEntries: number
}

export const facilityOrders = ['id', 'id_external', 'name', 'status', 'type', 'date_updated'] as const

export type FacilityOrder = (typeof facilityOrders)[number]

export interface FacilityFilter {
  q?: string | undefined
  ids?: string[] | undefined
  status?: string | undefined
  type?: string | undefined
}

interface FacilityPage extends FacilityFilter {
  order: FacilityOrder
  descending: boolean
  /** The last facility on the previous page; `value` is that of the column by which the list is sorted. */
  after: { value: string | number; id: number } | undefined
  limit: number
}

type Where = ExpressionBuilder<Tables, 'facility'>

export function matching({ q, ids, status, type }: FacilityFilter) {
  return (where: Where) =>
    where.and([
      ...(ids === undefined ? [] : [where('id_external', 'in', ids)]),
      ...(status === undefined ? [] : [where('status', '=', status)]),
      ...(type === undefined ? [] : [where('type', '=', type)]),
      ...(q === undefined ? [] : [named(where, q)]),
    ])
}

function named(where: Where, q: string) {
  const words = foldedWords(q)
  const literal = q
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')
  const byId = sql<boolean>`lower(id_external) like ${`%${literal}%`} escape '\\'`
  return words === ' ' ? byId : where.or([where('name_words', 'like', `%${words}%`), byId])
}

const counts = [
  sql<number>`(select count(*) from area where area.facility_id = facility.id)`.as('areas'),
  sql<number>`(select count(*) from area where area.facility_id = facility.id and cycle is not null)`.as('open_rooms'),
  sql<number>`coalesce((select entries_count from autocomplete_list list where list.facility_id = facility.id), 0)`.as(
    'entries',
  ),
] as const

export async function pageOfFacilities(tx: Tx, page: FacilityPage): Promise<FacilityOverview[]> {
  const { order, descending, after, limit } = page
  const direction = descending ? 'desc' : 'asc'
  const sign = descending ? '<' : '>'
  const beyond = after && sql<boolean>`(${sql.ref(order)}, id) ${sql.raw(sign)} (${after.value}, ${after.id})`
  const rows = await tx.query
    .selectFrom('facility')
    .selectAll()
    .select(counts)
    .where(matching(page))
    .where(whereOutsideSandbox('id_external'))
    .$if(beyond !== undefined, (query) => query.where(beyond as NonNullable<typeof beyond>))
    .orderBy(order, direction)
    .orderBy('id', direction)
    .limit(limit)
    .execute()
  return rows.map(toOverview)
}

export async function countFacilities(tx: Tx, filter: FacilityFilter): Promise<number> {
  const { count } = await tx.query
    .selectFrom('facility')
    .where(matching(filter))
    .where(whereOutsideSandbox('id_external'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function findFacilityOverview(tx: Tx, idExternal: string): Promise<FacilityOverview | undefined> {
  const row = await tx.query
    .selectFrom('facility')
    .selectAll()
    .select(counts)
    .where('id_external', '=', idExternal)
    .executeTakeFirst()
  return row && toOverview(row)
}

function toOverview(row: Parameters<typeof toFacility>[0] & { areas: number; open_rooms: number; entries: number }) {
  const { areas, open_rooms: openRooms, entries: listEntries } = row
  return { ...toFacility(row), areas, openRooms, listEntries }
}
