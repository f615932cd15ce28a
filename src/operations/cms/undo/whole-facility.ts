import type { EntryView } from '../../../domain/audit/entry-changes.ts'
import { facilityCreation, type NamingGrant } from '../../../domain/audit/estate-audit.ts'
import type { UndoDetail } from '../../../domain/audit/undo.ts'
import { type EstateFacility, facilityKeys } from '../../../domain/estate.ts'
import type { FacilityOverview } from '../../../storage/cms/facility.ts'
import { findFacilityOverview } from '../../../storage/cms/facility.ts'
import type { Tx } from '../../../storage/engine.ts'
import { listsOf } from '../../../storage/estate/estate-facility.ts'
import { findPartnerWithGrants, grantsNaming } from '../../../storage/estate/estate-partner.ts'
import { applyFacilities } from '../../estate/apply-facilities.ts'
import { applyPartner } from '../../estate/apply-partner.ts'
import type { EstateContext } from '../../estate/estate-context.ts'
import { removeFacilities } from '../../estate/prune-estate.ts'
import { requireFacility } from '../facility.ts'
import { areaBefore, assertAreasUnchanged, shortEntries } from './facility.ts'
import { overtaken, undoImpossible, valuesIn } from './undo-plan.ts'

/** Asserts that a facility is as it was created, and that no grant names it. */
export async function assertFacilityAsCreated(tx: Tx, id: string, detail: UndoDetail): Promise<FacilityOverview> {
  const facility = await requireFacility(tx, id)
  const { areas_created: areas, area_changes: areaChanges = [], changes } = detail
  const [list = []] = (await listsOf(tx, [facility])).values()
  const isAsCreated = JSON.stringify(facilityCreation(facility, list)) === JSON.stringify(changes)
  if (!isAsCreated || facility.areas !== areas) throw overtaken(`Facility ${id}`)
  await assertAreasUnchanged(tx, facility, areaChanges)
  const [grant] = await grantsNaming(tx, facility.id)
  if (grant !== undefined)
    throw undoImpossible(`A grant of partner ${grant.partner} names facility ${id}: take it away first.`)
  return facility
}

export async function undoCreation(context: EstateContext, id: string, detail: UndoDetail): Promise<undefined> {
  await removeFacilities(context, [await assertFacilityAsCreated(context.tx, id, detail)])
  return undefined
}

export async function assertNoFacility(tx: Tx, id: string): Promise<void> {
  if ((await findFacilityOverview(tx, id)) !== undefined) throw overtaken(`Facility ${id} exists: it`)
}

/** Creates the facility with all rooms closed. Grants that named it and have not changed since name it again. */
export async function undoRemoval(context: EstateContext, id: string, detail: UndoDetail): Promise<FacilityOverview> {
  const { tx } = context
  await assertNoFacility(tx, id)
  const values = valuesIn(detail, 'before')
  const areas = (detail.area_changes ?? []).flatMap(areaBefore)
  await applyFacilities(context, [{ kind: 'facility', facility: { ...facilityOf(id, values), areas } }])
  context.faults.throwIfAny()
  const grants = Map.groupBy((values.grants ?? []) as NamingGrant[], ({ partner }) => partner)
  for (const [partner, named] of grants) await nameAgain(context, partner, id, named)
  context.faults.throwIfAny()
  return requireFacility(tx, id)
}

async function nameAgain(context: EstateContext, id: string, facility: string, named: NamingGrant[]): Promise<void> {
  const partner = await findPartnerWithGrants(context.tx, id)
  if (partner === undefined) return
  const grants = partner.grants.map((grant, at) => {
    const { facilities, ...rights } = grant
    const isNaming = named.some(({ place, read, write, rooms }) => {
      return place === at && JSON.stringify({ read, write, rooms }) === JSON.stringify(rights)
    })
    return isNaming && facilities !== '*' ? { ...grant, facilities: [...facilities, facility] } : grant
  })
  await applyPartner(context, { kind: 'partner', partner: { id, grants } })
}

function facilityOf(idExternal: string, values: Record<string, unknown>): EstateFacility {
  const { id, areas_autocomplete_list: list = [] } = values
  const entries = shortEntries(idExternal, list as EntryView[])
  const fields = Object.entries(facilityKeys).map(([key, name]) => [key, values[name] ?? emptyOf(key)])
  return { ...Object.fromEntries(fields), idExternal, id: id as number, entries }
}

/** The value of a field that an audit entry omits because it has no content. */
function emptyOf(key: string): [] | null {
  return key === 'devices' ? [] : null
}
