import { naturalKey } from '../../domain/identifier.ts'
import type { Tx } from '../engine.ts'
import { statement } from '../statement.ts'

export interface StoredArea extends AreaName {
  json: string
}

export interface AreaName {
  short: string
  name: string
}

export interface AreasWanted {
  facility: number
  open: boolean | undefined
  /** The short id of the last area on the previous page. That area may have been deleted since. */
  after: string | undefined
}

const columns = 'id_short as short, name, json'

function statementsWith(condition: string) {
  const from = `from area where facility_id = $1 ${condition}`
  const after = 'and (sort_key, id_short) > ($2, $3) order by sort_key, id_short'
  return {
    page: statement<StoredArea>(`select ${columns} ${from} ${after} limit $4`),
    names: statement<AreaName>(`select id_short as short, name ${from} ${after} limit $4`),
    count: statement<{ count: number }>(`select count(*) as count ${from}`),
  }
}

const every = statementsWith('')
const opened = statementsWith('and cycle is not null')
const closed = statementsWith('and cycle is null')

const statementsFor = (open: boolean | undefined) => (open === undefined ? every : open ? opened : closed)
const positionOf = (after: string | undefined) =>
  (after === undefined ? ['', ''] : [naturalKey(after), after]) as [string, string]

export async function pageOfAreas(tx: Tx, wanted: AreasWanted, limit: number): Promise<StoredArea[]> {
  return tx.rows(statementsFor(wanted.open).page, wanted.facility, ...positionOf(wanted.after), limit)
}

/** Like `pageOfAreas`, but without the JSON of each area, which can be long. */
export async function namesOfAreas(tx: Tx, wanted: AreasWanted, limit: number): Promise<AreaName[]> {
  return tx.rows(statementsFor(wanted.open).names, wanted.facility, ...positionOf(wanted.after), limit)
}

export async function countAreas(tx: Tx, { facility, open }: Omit<AreasWanted, 'after'>): Promise<number> {
  return (await tx.rows(statementsFor(open).count, facility))[0]?.count ?? 0
}

/** Returns the areas with their JSON, in the same order. An area deleted since its name was read gets `{}`. */
export async function areasNamed(tx: Tx, facility: number, names: AreaName[]): Promise<StoredArea[]> {
  if (names.length === 0) return []
  const shorts = names.map(({ short }) => short)
  const rows = await tx.query
    .selectFrom('area')
    .select(['id_short', 'json'])
    .where('facility_id', '=', facility)
    .where('id_short', 'in', shorts)
    .where('sort_key', 'in', shorts.map(naturalKey))
    .execute()
  const jsonByShort = new Map(rows.map(({ id_short, json }) => [id_short, json]))
  return names.map((one) => ({ ...one, json: jsonByShort.get(one.short) ?? '{}' }))
}

const one = statement<StoredArea & { facility: string }>(`
  select a.id_short as short, a.name, a.json, f.id_external as facility
  from area a join facility f on f.id = a.facility_id where a.id_external = $1`)

export async function findStoredArea(tx: Tx, fullId: string): Promise<(StoredArea & { facility: string }) | undefined> {
  return (await tx.rows(one, fullId))[0]
}
