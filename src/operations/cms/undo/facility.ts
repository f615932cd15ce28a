import type { AreaChange, AreaFields } from '../../../domain/audit/audit-detail.ts'
import type { EntryView } from '../../../domain/audit/entry-changes.ts'
import { entriesUndone, type FacilityUndo, type ListUndo } from '../../../domain/audit/undo.ts'
import { type Entry, entriesOf, listEtag } from '../../../domain/autocomplete-list.ts'
import { type EstateArea, type EstateFacility, facilityKeys } from '../../../domain/estate.ts'
import { isSameValue } from '../../../domain/estate-difference.ts'
import { fullId } from '../../../domain/identifier.ts'
import type { Area } from '../../../domain/room/stored-room.ts'
import { loadStoredList } from '../../../storage/autocomplete-list.ts'
import type { FacilityOverview } from '../../../storage/cms/facility.ts'
import type { Tx } from '../../../storage/engine.ts'
import { subscriptionCounts } from '../../../storage/estate/estate-area.ts'
import { findExistingAreas } from '../../estate/apply-areas.ts'
import { applyFacilities } from '../../estate/apply-facilities.ts'
import type { EstateContext } from '../../estate/estate-context.ts'
import { removeAreas } from '../../estate/prune-estate.ts'
import { requireFacility } from '../facility.ts'
import { overtaken } from './undo-plan.ts'

/** Refuses if the facility has changed since the audit entry. Returns the areas that the entry created. */
export async function assertFacilityUnchanged(
  tx: Tx,
  id: string,
  { fields, list, areas }: FacilityUndo,
): Promise<Area[]> {
  const facility = await requireFacility(tx, id)
  for (const { key, after } of fields) {
    if (!isSameValue(key, facility[key], after)) throw overtaken(`"${facilityKeys[key]}" of ${id}`)
  }
  if (list !== undefined && listEtag((await loadStoredList(tx.rows, facility.id)).stored) !== list.afterTag) {
    throw overtaken(`The list of ${id}`)
  }
  return assertAreasUnchanged(tx, facility, areas)
}

/** Refuses if changed areas have changed again, or if created ones, which an undo removes, are in use. */
export async function assertAreasUnchanged(tx: Tx, facility: FacilityOverview, areas: AreaChange[]): Promise<Area[]> {
  const present = await findExistingAreas(
    tx,
    facility,
    areas.map(({ id }) => id),
  )
  for (const { id, after } of areas) {
    const area = present.get(id)
    const isAsLeft = after === null ? area === undefined : area !== undefined && hasFields(area, after)
    if (!isAsLeft) throw overtaken(`Room ${fullId(facility.idExternal, id)}`)
  }
  const created = areas.flatMap(({ id, before }) => (before === null ? (present.get(id) ?? []) : []))
  const used = await subscriptionCounts(
    tx,
    created.map(({ id }) => id),
  )
  const inUse = created.find(({ id, cycle }) => cycle !== null || used.has(id))
  if (inUse !== undefined) throw overtaken(`Room ${fullId(inUse.facility, inUse.short)} has been opened: it`)
  return created
}

function hasFields(area: Area, { name = area.name, data_general: data = area.dataGeneral }: AreaFields): boolean {
  return area.name === name && JSON.stringify(area.dataGeneral) === JSON.stringify(data)
}

export async function undoInFacility(
  context: EstateContext,
  id: string,
  undo: FacilityUndo,
): Promise<FacilityOverview> {
  const { tx } = context
  const created = await assertFacilityUnchanged(tx, id, undo)
  const { id: number } = await requireFacility(tx, id)
  const entries = undo.list && (await entriesBefore(tx, { id: number, idExternal: id }, undo.list))
  await removeAreas(context, created)
  const facility: EstateFacility = {
    idExternal: id,
    ...Object.fromEntries(undo.fields.map(({ key, before }) => [key, before])),
    areas: undo.areas.flatMap(areaBefore),
    ...(entries && { entries }),
  }
  await applyFacilities(context, [{ kind: 'facility', facility }])
  context.faults.throwIfAny()
  return requireFacility(tx, id)
}

export function areaBefore({ id, before }: AreaChange): EstateArea[] {
  if (before === null) return []
  const { name, data_general: dataGeneral } = before
  return [{ id, ...(name !== undefined && { name }), ...(dataGeneral !== undefined && { dataGeneral }) }]
}

async function entriesBefore(
  tx: Tx,
  facility: { id: number; idExternal: string },
  { before, list }: ListUndo,
): Promise<Entry[]> {
  if (before !== undefined) return shortEntries(facility.idExternal, before)
  const present = entriesOf(facility.idExternal, (await loadStoredList(tx.rows, facility.id)).stored)
  const views = present.map(({ id, name }) => ({ id_external: fullId(facility.idExternal, id), name }))
  return shortEntries(facility.idExternal, entriesUndone(views, list))
}

export function shortEntries(facility: string, views: EntryView[]): Entry[] {
  const { length } = fullId(facility, '')
  return views.map(({ id_external, name }) => ({ id: id_external.slice(length), name }))
}
