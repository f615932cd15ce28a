import type { AuditEntry } from '../../domain/audit/audit.ts'
import { loggedEntryChanges } from '../../domain/audit/entry-changes.ts'
import { facilityCreation } from '../../domain/audit/estate-audit.ts'
import { type Entry, entriesBefore, entriesJson, listEtag } from '../../domain/autocomplete-list.ts'
import { type Bytes, bytesOf } from '../../domain/bytes.ts'
import { type EstateFacility, facilityDefaults } from '../../domain/estate.ts'
import {
  type Change,
  type Difference,
  facilityChanges,
  type ListChange,
  loggedChange,
  mergeAddress,
} from '../../domain/estate-difference.ts'
import type { Address, Facility } from '../../domain/facility.ts'
import { recordAudits } from '../../storage/audit/audit.ts'
import {
  facilitiesNamed,
  facilitiesNumbered,
  insertFacilities,
  listsOf,
  replaceLists,
  updateFacility,
} from '../../storage/estate/estate-facility.ts'
import { checkDeviceRooms } from '../device-rooms.ts'
import { collectSuspectLists } from '../full-ids.ts'
import { applyAreas } from './apply-areas.ts'
import type { EstateContext, FacilityItem, FacilityPair } from './estate-context.ts'

export async function applyFacilities(context: EstateContext, items: FacilityItem[]): Promise<void> {
  if (items.length === 0) return
  const pairs = await pairUp(context, items)
  await insertFacilities(
    context.tx,
    pairs.flatMap(({ facility, isNew }) => (isNew ? [facility] : [])),
  )
  await updateFacilities(context, pairs)
  await applyAreas(context, pairs)
  await checkDeviceRooms(context, pairs)
  await collectSuspectLists(context, pairs)
  await recordAudits(
    context.tx,
    pairs.flatMap((pair) => auditOf(context, pair)),
  )
  for (const { differences } of pairs) differences.forEach(context.note)
}

/** Returns a single audit entry for all changes to a facility and its areas, or an empty list if nothing changed. */
function auditOf({ now, actor }: EstateContext, { item, facility, isNew, differences }: FacilityPair): AuditEntry[] {
  if (differences.length === 0) return []
  const areas = (sign: string) => differences.filter((one) => one.noun === 'area' && one.sign === sign).length
  const changes = isNew
    ? facilityCreation(facility, item.facility.entries ?? [])
    : differences.flatMap((one) => (one.noun === 'facility' ? one.changes.map(loggedChange) : []))
  const areaChanges = differences.flatMap(({ area }) => area ?? [])
  const detail = {
    ...{ changes, areas_created: areas('+'), areas_updated: areas('~') },
    ...(areaChanges.length > 0 && { area_changes: areaChanges }),
  }
  const action = isNew ? 'facility.create' : 'facility.update'
  return [{ at: now, actor, action, facility: facility.idExternal, detail }]
}

async function pairUp(context: EstateContext, items: FacilityItem[]): Promise<FacilityPair[]> {
  const { tx } = context
  const named = await facilitiesNamed(
    tx,
    items.map(({ facility }) => facility.idExternal),
  )
  const numbered = await facilitiesNumbered(
    tx,
    items.flatMap(({ facility }) => facility.id ?? []),
  )
  const byName = new Map(named.map((facility) => [facility.idExternal, facility]))
  const byNumber = new Map(numbered.map((facility) => [facility.id, facility]))
  return items.flatMap((item): FacilityPair[] => {
    const current = byName.get(item.facility.idExternal)
    const holder = byNumber.get(item.facility.id ?? 0)
    if (isRefused(context, item, current, holder)) return []
    const facility = current ?? newFacility(context, item.facility)
    return [{ item, facility, isNew: current === undefined, differences: [] }]
  })
}

function isRefused({ faults }: EstateContext, item: FacilityItem, current?: Facility, holder?: Facility): boolean {
  const { id, idExternal, name, address } = item.facility
  const needs: string[] = []
  if (current !== undefined && id !== undefined && id !== current.id) {
    needs.push(`its id is ${current.id} and cannot become ${id}`)
  } else if (holder !== undefined && holder.idExternal !== idExternal) {
    needs.push(`the id ${id} belongs to facility ${holder.idExternal}`)
  }
  if (current === undefined && name === undefined) needs.push('it is new and needs a name')
  if (address && address.country === undefined && !current?.address) needs.push('its address needs a country')
  for (const need of needs) faults.add({ line: item.line, message: `facility ${idExternal}: ${need}` })
  return needs.length > 0
}

function newFacility({ now, nextFacilityId }: EstateContext, wanted: EstateFacility): Facility {
  const { areas: _areas, entries: _entries, address, ...fields } = wanted
  return {
    ...facilityDefaults,
    ...fields,
    id: wanted.id ?? nextFacilityId(),
    name: wanted.name as string,
    address: address ? (mergeAddress(null, address) as Address) : null,
    dateCreated: now,
    dateUpdated: now,
  }
}

async function updateFacilities({ tx, now, tally }: EstateContext, pairs: FacilityPair[]): Promise<void> {
  const lists = await listsOf(
    tx,
    pairs.flatMap(({ item, facility }) => (item.facility.entries ? [facility] : [])),
  )
  const replaced: { facility: Facility; entries: Entry[] }[] = []
  for (const { item, facility, isNew, differences } of pairs) {
    const { fields, changes } = isNew ? { fields: {}, changes: [] } : facilityChanges(facility, item.facility)
    if (changes.length > 0) await updateFacility(tx, facility.id, { ...fields, dateUpdated: now })
    const { entries } = item.facility
    const before = lists.get(facility.id) ?? []
    if (entries !== undefined && !sameEntries(before, entries)) {
      // Leaves the facility's `date_updated` as it is, because its autocomplete list is a resource of its own.
      replaced.push({ facility, entries })
      changes.push({ key: 'areas_autocomplete_list', logged: listChange(facility, before, entries) })
    }
    const outcome = isNew ? 'created' : changes.length > 0 ? 'updated' : 'unchanged'
    tally.facilities[outcome]++
    if (outcome !== 'unchanged') differences.push(difference(facility, isNew, changes))
  }
  await replaceLists(tx, replaced)
}

function listChange({ idExternal }: Facility, before: Entry[], after: Entry[]): ListChange {
  const [was, is] = [before, after].map((entries) => bytesOf(entriesJson(idExternal, entries))) as [Bytes, Bytes]
  const list = loggedEntryChanges(was, is)
  return { list, before: entriesBefore(was, list), after_tag: listEtag(is) }
}

function difference({ idExternal: id }: Facility, isNew: boolean, changes: Change[]): Difference {
  return { sign: isNew ? '+' : '~', noun: 'facility', id, changes: isNew ? [] : changes, lost: [] }
}

function sameEntries(a: Entry[], b: Entry[]): boolean {
  return a.length === b.length && a.every(({ id, name }, index) => id === b[index]?.id && name === b[index]?.name)
}
