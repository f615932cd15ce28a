import type { Actor } from '../../domain/audit/audit.ts'
import { EstateFaults, faultList } from '../../domain/estate.ts'
import { type Difference, emptyTally } from '../../domain/estate-difference.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { lockFacilityCounter, setFacilityCounter } from '../../storage/estate/estate-facility.ts'
import { checkSuspectLists } from '../full-ids.ts'
import type { EstateContext } from './estate-context.ts'

interface About {
  actor: Actor
  note(difference: Difference): void
  areasDone?(count: number): void
  /** The highest numeric facility id in the input. Facilities that are created without an id get higher ones. */
  highestFacilityId: number
}

/** Runs one change of facilities or partners at a time, under a lock. At its end, throws all its faults together. */
export async function runEstateChange<T>(
  tx: Tx,
  { actor, note, highestFacilityId, areasDone = () => {} }: About,
  work: (context: EstateContext) => Promise<T>,
): Promise<T> {
  await tx.lock('atrium estate')
  const counter = await lockFacilityCounter(tx)
  let highestId = Math.max(counter, highestFacilityId)
  const faults = faultList()
  const nextFacilityId = () => ++highestId
  const callbacks = { note, areasDone, nextFacilityId }
  const context = { tx, actor, now: nowIso(), tally: emptyTally(), faults, ...callbacks, suspectLists: new Map() }
  const result = await work(context)
  await checkSuspectLists(context)
  faults.throwIfAny()
  if (highestId > counter) await setFacilityCounter(tx, highestId)
  return result
}

/** Runs an operator's change of the estate in a transaction. If the change has faults, refuses it and rolls it back. */
export async function changeEstate<T>(db: Db, actor: Actor, work: (context: EstateContext) => Promise<T>): Promise<T> {
  try {
    return await db.write((tx) => runEstateChange(tx, { actor, note: () => {}, highestFacilityId: 0 }, work))
  } catch (error) {
    if (!(error instanceof EstateFaults)) throw error
    const detail = `Nothing was changed: ${error.faults.map(({ message }) => message).join('; ')}.`
    const placed = error.faults.flatMap(({ pointer, message }) => (pointer ? [{ pointer, detail: message }] : []))
    throw new Refusal('estate_conflict', detail, placed.length > 0 ? { errors: placed } : {})
  }
}
