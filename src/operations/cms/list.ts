import type { Actor } from '../../domain/audit/audit.ts'
import type { Entry } from '../../domain/autocomplete-list.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { listsOf } from '../../storage/estate/estate-facility.ts'
import type { Expect } from '../access/operator.ts'
import { applyFacilities } from '../estate/apply-facilities.ts'
import { changeEstate } from '../estate/change-estate.ts'
import { allNames } from './area.ts'
import { requireFacility } from './facility.ts'

export function readList(db: Db, facility: string): Promise<Entry[]> {
  return db.read((tx) => listIn(tx, facility))
}

async function listIn(tx: Tx, facilityId: string): Promise<Entry[]> {
  const facility = await requireFacility(tx, facilityId)
  return (await listsOf(tx, [facility])).get(facility.id) ?? []
}

export function replaceList(
  db: Db,
  actor: Actor,
  facility: string,
  entries: Entry[],
  expect: Expect<Entry[]>,
): Promise<Entry[]> {
  return changeEstate(db, actor, async (context) => {
    expect(await listIn(context.tx, facility))
    await applyFacilities(context, [{ kind: 'facility', facility: { idExternal: facility, entries } }])
    return entries
  })
}

interface ListDifferences {
  onlyInList: Entry[]
  onlyInAreas: Entry[]
  namedDifferently: { id: string; listName: string; areaName: string }[]
}

export function listDifferences(db: Db, facilityId: string): Promise<ListDifferences> {
  return db.readFromReplica(async (tx) => {
    const facility = await requireFacility(tx, facilityId)
    const entries = await listIn(tx, facilityId)
    const areas: Entry[] = []
    for await (const names of allNames(tx, { facility: facility.id, open: undefined, after: undefined })) {
      areas.push(...names.map(({ short, name }) => ({ id: short, name })))
    }
    return differencesBetween(entries, areas)
  })
}

export function differencesBetween(entries: Entry[], areas: Entry[]): ListDifferences {
  const listed = new Map(entries.map((entry) => [entry.id, entry]))
  const present = new Set(areas.map(({ id }) => id))
  return {
    onlyInList: entries.filter(({ id }) => !present.has(id)),
    onlyInAreas: areas.filter(({ id }) => !listed.has(id)),
    namedDifferently: areas.flatMap(({ id, name }) => {
      const listName = listed.get(id)?.name
      return listName === undefined || listName === name ? [] : [{ id, listName, areaName: name }]
    }),
  }
}
