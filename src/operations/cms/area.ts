import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Actor } from '../../domain/audit/audit.ts'
import type { EstateArea } from '../../domain/estate.ts'
import { fullId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { roomMatcher } from '../../domain/text.ts'
import {
  type AreaName,
  type AreasWanted,
  areasNamed,
  countAreas,
  namesOfAreas,
  pageOfAreas,
  type StoredArea,
} from '../../storage/cms/area.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { subscriptionCounts } from '../../storage/estate/estate-area.ts'
import { findExistingAreas } from '../estate/apply-areas.ts'
import { applyFacilities } from '../estate/apply-facilities.ts'
import { changeEstate } from '../estate/change-estate.ts'
import { removeAreas as remove } from '../estate/prune-estate.ts'
import { type CmsPage, decodeCursor, encodeCursor, searchName, toPage } from '../page.ts'
import { requireFacility } from './facility.ts'

interface AreaSearch {
  q: string | undefined
  open: boolean | undefined
  limit: number
  cursor: string | undefined
}

export function findAreas(db: Db, facilityId: string, search: AreaSearch): Promise<CmsPage<StoredArea>> {
  const { q, open, limit, cursor } = search
  const list = searchName('areas', search, facilityId)
  const after = decodeCursor(list, cursor, ([short]) => (typeof short === 'string' ? short : undefined))
  return db.readFromReplica(async (tx) => {
    const { id: facility } = await requireFacility(tx, facilityId)
    const wanted = { facility, open, after }
    const { rows, total } = await (q === undefined
      ? nextAreas(tx, wanted, limit + 1)
      : nextNamed(tx, wanted, limit + 1, roomMatcher(q, fullId(facilityId, ''))))
    return { ...toPage(rows, limit, ({ short }) => encodeCursor(list, short)), total }
  })
}

/** How many names of areas one query reads. Searching them blocks the event loop for a few milliseconds. */
const namesPerBatch = 2048

/** Yields the names of a facility's areas in their order, in batches. Lets other requests run between two batches. */
export async function* allNames(tx: Tx, wanted: AreasWanted): AsyncGenerator<AreaName[]> {
  let { after } = wanted
  for (;;) {
    const names = await namesOfAreas(tx, { ...wanted, after }, namesPerBatch)
    yield names
    if (names.length < namesPerBatch) return
    after = names.at(-1)?.short
    await yieldToEventLoop()
  }
}

interface Found {
  rows: StoredArea[]
  total: number
}

async function nextAreas(tx: Tx, wanted: AreasWanted, max: number): Promise<Found> {
  return { rows: await pageOfAreas(tx, wanted, max), total: await countAreas(tx, wanted) }
}

/** Searches names in this process, because database engines differ in how they ignore accents and case. */
async function nextNamed(
  tx: Tx,
  wanted: AreasWanted,
  max: number,
  matches: (name: string, short: string) => boolean,
): Promise<Found> {
  const named = async (after: string | undefined) => {
    const found: AreaName[] = []
    for await (const names of allNames(tx, { ...wanted, after })) {
      found.push(...names.filter(({ name, short }) => matches(name, short)))
    }
    return found
  }
  const all = await named(undefined)
  const rest = wanted.after === undefined ? all : await named(wanted.after)
  return { rows: await areasNamed(tx, wanted.facility, rest.slice(0, max)), total: all.length }
}

function idsOf(areas: EstateArea[]): string[] {
  return areas.map(({ id }) => id)
}

/** Creates all areas, or none if one exists already. With `skipExisting`, creates those that do not exist yet. */
export function createAreas(
  db: Db,
  actor: Actor,
  facilityId: string,
  areas: EstateArea[],
  skipExisting: boolean,
): Promise<{ created: number; skipped: number }> {
  return changeEstate(db, actor, async (context) => {
    const facility = await requireFacility(context.tx, facilityId)
    const present = await findExistingAreas(context.tx, facility, idsOf(areas))
    const taken = areas.filter(({ id }) => present.has(id)).map(({ id }) => id)
    if (taken.length > 0 && !skipExisting) {
      const others = taken.length > 5 ? ` and ${taken.length - 5} more` : ''
      const are = taken.length === 1 ? 'is' : 'are'
      const names = taken.slice(0, 5).join(', ')
      throw new Refusal('area_exists', `Nothing was added: ${names}${others} ${are} in the facility already.`)
    }
    const added = areas.filter(({ id }) => !present.has(id))
    await applyFacilities(context, [{ kind: 'facility', facility: { idExternal: facilityId, areas: added } }])
    return { created: context.tally.areas.created, skipped: taken.length }
  })
}

/** Changes nothing if one of the areas does not exist. */
export function changeAreas(
  db: Db,
  actor: Actor,
  facilityId: string,
  areas: EstateArea[],
): Promise<{ updated: number; unchanged: number }> {
  return changeEstate(db, actor, async (context) => {
    const facility = await requireFacility(context.tx, facilityId)
    const present = await findExistingAreas(context.tx, facility, idsOf(areas))
    const missing = areas.find(({ id }) => !present.has(id))
    if (missing !== undefined) {
      throw new Refusal('area_not_found', `Nothing was changed: there is no area ${missing.id} in this facility.`)
    }
    await applyFacilities(context, [{ kind: 'facility', facility: { idExternal: facilityId, areas } }])
    const { updated, unchanged } = context.tally.areas
    return { updated, unchanged }
  })
}

/** Removes areas; with `dryRun`, only counts what would be lost. Ignores unknown ids. */
export function removeAreas(
  db: Db,
  actor: Actor,
  facilityId: string,
  ids: string[],
  dryRun: boolean,
): Promise<{ removed: number; openRooms: number; subscriptions: number }> {
  return changeEstate(db, actor, async (context) => {
    const facility = await requireFacility(context.tx, facilityId)
    const removed = [...(await findExistingAreas(context.tx, facility, ids)).values()]
    const counts = await subscriptionCounts(
      context.tx,
      removed.map(({ id }) => id),
    )
    if (!dryRun) await remove(context, removed)
    return {
      removed: removed.length,
      openRooms: removed.filter(({ cycle }) => cycle !== null).length,
      subscriptions: [...counts.values()].reduce((sum, count) => sum + count, 0),
    }
  })
}
