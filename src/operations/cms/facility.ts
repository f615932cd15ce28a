import type { Actor } from '../../domain/audit/audit.ts'
import type { EstateFacility } from '../../domain/estate.ts'
import { isSandboxId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import {
  countFacilities,
  type FacilityFilter,
  type FacilityOrder,
  type FacilityOverview,
  facilityOrders,
  findFacilityOverview,
  pageOfFacilities,
} from '../../storage/cms/facility.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { type Contents, contentsOf } from '../../storage/estate/estate-area.ts'
import type { Expect } from '../access/operator.ts'
import { applyFacilities } from '../estate/apply-facilities.ts'
import { changeEstate } from '../estate/change-estate.ts'
import { removeFacilities } from '../estate/prune-estate.ts'
import { type CmsPage, decodeCursor, encodeCursor, searchName, toPage } from '../page.ts'

export { facilityOrders }

interface FacilitySearch extends FacilityFilter {
  order: FacilityOrder
  descending: boolean
  limit: number
  cursor: string | undefined
}

export function findFacilities(db: Db, search: FacilitySearch): Promise<CmsPage<FacilityOverview>> {
  const { order, limit, cursor } = search
  const list = searchName('facilities', search)
  const after = decodeCursor(list, cursor, toPlace)
  return db.readFromReplica(async (tx) => {
    const rows = await pageOfFacilities(tx, { ...search, after, limit: limit + 1 })
    const page = toPage(rows, limit, (last) => encodeCursor(list, placeIn(last, order), last.id))
    return { ...page, total: await countFacilities(tx, search) }
  })
}

function toPlace([value, id]: unknown[]) {
  const usable = (typeof value === 'string' || typeof value === 'number') && Number.isSafeInteger(id)
  return usable ? { value, id: id as number } : undefined
}

function placeIn(facility: FacilityOverview, order: FacilityOrder): string | number {
  const { id, idExternal, name, status, type, dateUpdated } = facility
  return { id, id_external: idExternal, name, status, type, date_updated: dateUpdated }[order]
}

export function readFacility(db: Db, id: string): Promise<FacilityOverview> {
  return db.read((tx) => requireFacility(tx, id))
}

/** Refuses unknown ids and those of sandboxes, because operators manage a sandbox only as a whole. */
export async function requireFacility(tx: Tx, id: string): Promise<FacilityOverview> {
  const facility = isSandboxId(id) ? undefined : await findFacilityOverview(tx, id)
  if (facility === undefined) throw new Refusal('facility_not_found', 'There is no facility with this id.')
  return facility
}

export function createFacility(db: Db, actor: Actor, facility: EstateFacility): Promise<FacilityOverview> {
  return changeEstate(db, actor, async (context) => {
    if ((await findFacilityOverview(context.tx, facility.idExternal)) !== undefined) {
      throw new Refusal('facility_exists', 'A facility with this id exists already.')
    }
    await applyFacilities(context, [{ kind: 'facility', facility }])
    context.faults.throwIfAny()
    return requireFacility(context.tx, facility.idExternal)
  })
}

/** Changes only the given fields; areas, autocomplete list and devices count as fields. */
export function changeFacility(
  db: Db,
  actor: Actor,
  change: EstateFacility,
  expect: Expect<FacilityOverview>,
): Promise<FacilityOverview> {
  return changeEstate(db, actor, async (context) => {
    expect(await requireFacility(context.tx, change.idExternal))
    await applyFacilities(context, [{ kind: 'facility', facility: change }])
    context.faults.throwIfAny()
    return requireFacility(context.tx, change.idExternal)
  })
}

export function removeFacility(
  db: Db,
  actor: Actor,
  id: string,
  expect: Expect<FacilityOverview>,
): Promise<{ facility: FacilityOverview; lost: Contents }> {
  return changeEstate(db, actor, async (context) => {
    const facility = await requireFacility(context.tx, id)
    expect(facility)
    const lost = await contentsOf(context.tx, facility)
    await removeFacilities(context, [facility])
    return { facility, lost }
  })
}
