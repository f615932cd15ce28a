import type { Area } from '../domain/area.ts'
import type { EstateArea } from '../domain/estate.ts'
import { areaChanges } from '../domain/estate-difference.ts'
import { fullId, newId } from '../domain/identifier.ts'
import { type AreaField, areasOf, type Collision, insertAreas, updateAreas } from '../storage/estate-area.ts'
import type { Application, FacilityPair } from './estate-application.ts'

interface Plan {
  created: Area[]
  /** By the fields that change. */
  updated: Map<string, Area[]>
}

export async function applyAreas(application: Application, pairs: FacilityPair[]): Promise<void> {
  const { tx } = application
  const current = await areasOf(
    tx,
    pairs.flatMap(({ item, facility, isNew }) => (isNew || item.facility.areas === undefined ? [] : [facility])),
  )
  const plan: Plan = { created: [], updated: new Map() }
  for (const pair of pairs) planAreas(application, pair, current.get(pair.facility.id) ?? [], plan)
  for (const collision of await insertAreas(tx, plan.created)) refuse(application, pairs, collision)
  for (const [fields, areas] of plan.updated) await updateAreas(tx, areas, fields.split(',') as AreaField[])
}

function planAreas(application: Application, pair: FacilityPair, current: Area[], plan: Plan): void {
  const { tally, now } = application
  const byShort = new Map(current.map((area) => [area.short, area]))
  for (const wanted of pair.item.facility.areas ?? []) {
    const area = byShort.get(wanted.id)
    const id = fullId(pair.facility.idExternal, wanted.id)
    if (area === undefined) {
      if (wanted.name === undefined) {
        application.faults.add({ line: pair.item.line, message: `area ${id}: it is new and needs a name` })
        continue
      }
      plan.created.push(newArea(pair, wanted, wanted.name, now))
      tally.areas.created++
      pair.differences.push({ sign: '+', noun: 'area', id, changes: [], lost: [] })
      continue
    }
    const { fields, changes } = areaChanges(area, wanted)
    if (changes.length > 0) {
      const key = Object.keys(fields).join()
      if (!plan.updated.has(key)) plan.updated.set(key, [])
      plan.updated.get(key)?.push({ ...area, ...fields, dateUpdated: now })
      pair.differences.push({ sign: '~', noun: 'area', id, changes, lost: [] })
    }
    tally.areas[changes.length > 0 ? 'updated' : 'unchanged']++
  }
}

function newArea({ facility }: FacilityPair, wanted: EstateArea, name: string, now: string): Area {
  return {
    id: newId(),
    facilityId: facility.id,
    facility: facility.idExternal,
    short: wanted.id,
    name,
    openedAt: null,
    cycle: null,
    dateCreated: now,
    dateUpdated: now,
    dataGeneral: wanted.dataGeneral ?? [],
  }
}

function refuse({ faults }: Application, pairs: FacilityPair[], { area, holder }: Collision): void {
  const line = pairs.find(({ facility }) => facility.id === area.facilityId)?.item.line
  const id = fullId(area.facility, area.short)
  const meanings = `"${area.short}" of facility ${area.facility} and "${holder.short}" of facility ${holder.facility}`
  faults.add({ line, message: `the full id "${id}" would mean two areas: ${meanings}` })
}
