import type { Actor } from '../../domain/audit/audit.ts'
import type { EstateArea } from '../../domain/estate.ts'
import { areaChanges, changeView } from '../../domain/estate-difference.ts'
import { refusalFor } from '../../domain/refusal.ts'
import type { Area } from '../../domain/room/stored-room.ts'
import type { Db } from '../../storage/database.ts'
import { mapInChunks } from '../chunks.ts'
import { findExistingAreas } from '../estate/apply-areas.ts'
import { applyFacilities } from '../estate/apply-facilities.ts'
import { changeEstate } from '../estate/change-estate.ts'
import { requireFacility } from './facility.ts'

export interface ImportLine {
  line: number
  area: EstateArea
  /** What is wrong with the line; undefined if it is valid. */
  error: string | undefined
}

export interface ImportRow {
  line: number
  id: string
  name: string | undefined
  action: 'create' | 'update' | 'unchanged' | 'error'
  changes: object[]
  error: string | null
}

/** Imports all lines or none; with `dryRun`, none. Returns what each line changes, or what is wrong with it. */
export function importAreas(
  db: Db,
  actor: Actor,
  facilityId: string,
  lines: ImportLine[],
  dryRun: boolean,
  onProgress: (done: number) => void,
): Promise<ImportRow[]> {
  return changeEstate(db, actor, async (context) => {
    const facility = await requireFacility(context.tx, facilityId)
    const ids = lines.map(({ area }) => area.id)
    const present = await findExistingAreas(context.tx, facility, ids)
    const rows = await mapInChunks(lines, (line) => rowOf(line, present.get(line.area.id)))
    if (dryRun) return rows
    const wrong = rows.filter(({ action }) => action === 'error')
    if (wrong.length > 0) {
      const faults = wrong.map(({ line, error }) => ({ pointer: `/${line}`, detail: `Line ${line}: ${error}` }))
      throw refusalFor('body_invalid', 'Nothing was changed.', faults)
    }
    const wanted = lines.map(({ area }) => area)
    let done = 0
    const areasDone = (count: number) => {
      done += count
      onProgress(done)
    }
    const item = { kind: 'facility', facility: { idExternal: facilityId, areas: wanted } } as const
    await applyFacilities({ ...context, areasDone }, [item])
    return rows
  })
}

function rowOf({ line, area, error }: ImportLine, current: Area | undefined): ImportRow {
  const about = { line, id: area.id, name: area.name }
  const fault = error ?? (current === undefined && area.name === undefined ? 'is new and needs a name' : undefined)
  if (fault !== undefined) return { ...about, action: 'error', changes: [], error: fault }
  if (current === undefined) return { ...about, action: 'create', changes: [], error: null }
  const changes = areaChanges(current, area).changes.map(changeView)
  return { ...about, action: changes.length > 0 ? 'update' : 'unchanged', changes, error: null }
}
