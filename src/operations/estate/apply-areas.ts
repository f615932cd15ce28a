import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { areaChange, areaCreation } from '../../domain/audit/estate-audit.ts'
import type { EstateArea } from '../../domain/estate.ts'
import { areaChanges } from '../../domain/estate-difference.ts'
import type { Facility } from '../../domain/facility.ts'
import { fullId, newId } from '../../domain/identifier.ts'
import type { Area } from '../../domain/room/stored-room.ts'
import type { Tx } from '../../storage/engine.ts'
import {
  type AreaField,
  type AreaRef,
  type Collision,
  findAreas,
  insertAreas,
  updateAreas,
} from '../../storage/estate/estate-area.ts'
import { chunks, mapInChunks } from '../chunks.ts'
import type { EstateContext, FacilityPair } from './estate-context.ts'

interface Plan {
  created: Area[]
  /** The areas by the names of their changed fields: one statement can update all areas of a group. */
  updated: Map<string, Area[]>
}

export async function applyAreas(context: EstateContext, pairs: FacilityPair[]): Promise<void> {
  const { tx } = context
  const places = pairs.flatMap(({ item, facility, isNew }) => {
    return isNew ? [] : (item.facility.areas ?? []).map(({ id }) => ({ facility, short: id }))
  })
  const current = await findExistingAt(tx, places)
  const plan: Plan = { created: [], updated: new Map() }
  for (const pair of pairs) await planAreas(context, pair, current.get(pair.facility.id) ?? new Map(), plan)
  await written(context, plan.created, async (some) => {
    for (const collision of await insertAreas(tx, some)) refuse(context, pairs, collision)
  })
  for (const [fields, areas] of plan.updated) {
    await written(context, areas, (some) => updateAreas(tx, some, fields.split(',') as AreaField[]))
  }
}

/** Areas per query: large enough to be efficient, small enough that other requests wait only briefly. */
const batchSize = 1024

type AreasByShortId = Map<string, Area>

/** Returns those of the given areas that exist in the facility, by short id. */
export async function findExistingAreas(
  tx: Tx,
  facility: Pick<Facility, 'id' | 'idExternal'>,
  shorts: string[],
): Promise<AreasByShortId> {
  const places = shorts.map((short) => ({ facility, short }))
  return (await findExistingAt(tx, places)).get(facility.id) ?? new Map()
}

/** Returns those of the given areas that exist, by the numeric id of their facility and then by short id. */
async function findExistingAt(tx: Tx, places: AreaRef[]): Promise<Map<number, AreasByShortId>> {
  const present = new Map<number, AreasByShortId>()
  for (const some of chunks(places, batchSize)) {
    for (const [facility, areas] of await findAreas(tx, some)) {
      const known = present.get(facility) ?? new Map()
      for (const area of areas) known.set(area.short, area)
      present.set(facility, known)
    }
    await yieldToEventLoop()
  }
  return present
}

async function written(context: EstateContext, areas: Area[], write: (some: Area[]) => Promise<void>): Promise<void> {
  for (const some of chunks(areas, batchSize)) {
    await write(some)
    context.areasDone(some.length)
    await yieldToEventLoop()
  }
}

async function planAreas(
  context: EstateContext,
  pair: FacilityPair,
  current: AreasByShortId,
  plan: Plan,
): Promise<void> {
  await mapInChunks(pair.item.facility.areas ?? [], (wanted) => {
    const area = current.get(wanted.id)
    if (area === undefined) planNew(context, pair, wanted, plan)
    else planChange(context, pair, area, wanted, plan)
  })
}

function planNew(context: EstateContext, pair: FacilityPair, wanted: EstateArea, plan: Plan): void {
  const id = fullId(pair.facility.idExternal, wanted.id)
  if (wanted.name === undefined) {
    context.faults.add({ line: pair.item.line, message: `area ${id}: it is new and needs a name` })
    return
  }
  const created = newArea(pair, wanted, wanted.name, context.now)
  plan.created.push(created)
  context.tally.areas.created++
  pair.differences.push({ sign: '+', noun: 'area', id, changes: [], area: areaCreation(created), lost: [] })
}

function planChange(context: EstateContext, pair: FacilityPair, area: Area, wanted: EstateArea, plan: Plan): void {
  const { fields, changes } = areaChanges(area, wanted)
  context.tally.areas[changes.length > 0 ? 'updated' : 'unchanged']++
  if (changes.length === 0) return context.areasDone(1)
  const key = Object.keys(fields).join()
  if (!plan.updated.has(key)) plan.updated.set(key, [])
  plan.updated.get(key)?.push({ ...area, ...fields, dateUpdated: context.now })
  const id = fullId(pair.facility.idExternal, wanted.id)
  pair.differences.push({ sign: '~', noun: 'area', id, changes, area: areaChange(area, fields), lost: [] })
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

function refuse({ faults }: EstateContext, pairs: FacilityPair[], { area, holder }: Collision): void {
  const line = pairs.find(({ facility }) => facility.id === area.facilityId)?.item.line
  const id = fullId(area.facility, area.short)
  const meanings = `"${area.short}" of facility ${area.facility} and "${holder.short}" of facility ${holder.facility}`
  faults.add({ line, message: `the full id "${id}" would mean two areas: ${meanings}` })
}
