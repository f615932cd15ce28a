import { setImmediate as breath } from 'node:timers/promises'
import { type Actor, commandLine } from '../../domain/audit/audit.ts'
import type { Difference, EstateTally } from '../../domain/estate-difference.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { applyFacilities } from './apply-facilities.ts'
import { applyPartner } from './apply-partner.ts'
import { changingEstate } from './change-estate.ts'
import { batches, type WantedEstate } from './estate-application.ts'
import { pruneEstate } from './prune-estate.ts'

export interface ApplyOptions {
  /** Does all the work, then takes it back. */
  dryRun: boolean
  /** Also removes what is not named. */
  prune: boolean
  /** On whose behalf; the command line's without it. */
  actor?: Actor
  /** How many areas are worked on before others get their turn; what is quickest for all of it without it. */
  areasAtOnce?: number
}

export interface ApplyObserver {
  /** Begins, or begins again because another transaction was in the way: what was told before did not happen. */
  begin(): void
  difference(difference: Difference): void
  /** A facility, apart from its areas, or a partner. */
  itemDone(): void
  areasDone?(count: number): void
}

/** Brings the database to the estate, in one transaction. Throws EstateFaults, with nothing changed, if it cannot. */
export async function applyEstate(
  db: Db,
  wanted: WantedEstate,
  options: ApplyOptions,
  observer: ApplyObserver,
): Promise<EstateTally> {
  try {
    return await db.write(async (tx) => {
      observer.begin()
      const tally = await applyIn(tx, wanted, options, observer)
      if (options.dryRun) throw new TakenBack(tally)
      return tally
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.tally
    throw error
  }
}

/** Rolls the transaction back. */
class TakenBack extends Error {
  readonly tally: EstateTally

  constructor(tally: EstateTally) {
    super('dry run')
    this.tally = tally
  }
}

function applyIn(
  tx: Tx,
  wanted: WantedEstate,
  { prune, actor = commandLine, areasAtOnce }: ApplyOptions,
  observer: ApplyObserver,
): Promise<EstateTally> {
  const { difference: note, areasDone } = observer
  const about = { actor, note, highestFacilityId: wanted.highestFacilityId, ...(areasDone && { areasDone }) }
  return changingEstate(tx, about, async (application) => {
    // First, so that what is removed here can come back elsewhere: a full id may move between facilities.
    if (prune) await pruneEstate(application, wanted)
    for await (const batch of batches(wanted.items(), areasAtOnce)) {
      await applyFacilities(
        application,
        batch.flatMap((item) => (item.kind === 'facility' ? [item] : [])),
      )
      for (const item of batch) if (item.kind === 'partner') await applyPartner(application, item)
      for (const _ of batch) observer.itemDone()
      await breath()
    }
    return application.tally
  })
}
