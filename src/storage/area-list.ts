import { sql } from 'kysely'
import type { Entry } from '../domain/autocomplete-list.ts'
import type { AreaText } from './area.ts'
import type { Tx } from './engine.ts'
import { statement } from './statement.ts'

/** A position in the natural order of a facility's areas, which sorts `2` before `10`. */
export interface AreaPosition {
  sortKey: string
  short: string
}

export interface ListedArea extends AreaText, AreaPosition {
  name: string
}

interface AreaFilter {
  open?: boolean | undefined
  changedSince?: string | undefined
  /** Returns rooms that may have a service with this code; the caller parses their JSON to be sure. */
  code?: string | undefined
}

const areasFrom = (where: string) =>
  statement<ListedArea>(
    `select id_short as short, sort_key as "sortKey", name, json, services_lengths as lengths
     from area where facility_id = $1 ${where}`,
  )
const inOrder = 'order by sort_key, id_short'
const firstAreas = areasFrom(`${inOrder} limit $2`)
const nextAreas = areasFrom(`and (sort_key, id_short) > ($3, $4) ${inOrder} limit $2`)

export async function listAreas(
  tx: Tx,
  facilityId: number,
  after?: AreaPosition,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<ListedArea[]> {
  if (after === undefined) return tx.rows(firstAreas, facilityId, limit)
  return tx.rows(nextAreas, facilityId, limit, after.sortKey, after.short)
}

export async function filterAreas(
  tx: Tx,
  facilityId: number,
  { open, changedSince, code }: AreaFilter,
  after: AreaPosition | undefined,
  limit: number,
): Promise<ListedArea[]> {
  const found = tx.query
    .selectFrom('area')
    .select(['id_short as short', 'sort_key as sortKey', 'name', 'json', 'services_lengths as lengths'])
    .where('facility_id', '=', facilityId)
    .$if(open !== undefined, (query) => query.where('cycle', open ? 'is not' : 'is', null))
    .$if(changedSince !== undefined, (query) => query.where('date_updated', '>=', changedSince as string))
    .$if(code !== undefined, (query) =>
      query.where('services_lengths', '<>', '').where(sql<boolean>`json like ${patternOf(code as string)} escape '!'`),
    )
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(sort_key, id_short) > (${after?.sortKey}, ${after?.short})`),
    )
    .orderBy('sort_key')
    .orderBy('id_short')
    .limit(limit)
  return found.execute()
}

/** Returns a `like` pattern that finds the code in JSON as `subscriptionJson` writes it, without white space. */
function patternOf(code: string): string {
  const text = JSON.stringify({ code }).slice(1, -1)
  return `%${text.replace(/[!%_]/g, '!$&')}%`
}

const names = statement<Entry>('select id_short as id, name from area where facility_id = $1')

export async function areaNames(tx: Tx, facilityId: number): Promise<Entry[]> {
  return tx.rows(names, facilityId)
}
