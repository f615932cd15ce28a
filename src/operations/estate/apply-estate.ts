import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type Actor, commandLine } from '../../domain/audit/audit.ts'
import type { Difference, EstateTally } from '../../domain/estate-difference.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { analyzeTables } from '../../storage/estate/whole-tables.ts'
import { applyFacilities } from './apply-facilities.ts'
import { applyPartner } from './apply-partner.ts'
import { runEstateChange } from './change-estate.ts'
import { batches, type WantedEstate } from './estate-context.ts'
import { pruneEstate } from './prune-estate.ts'

export interface ApplyOptions {
  /** Rolls back at the end, so that nothing is changed. */
  dryRun: boolean
  /** Removes facilities, areas and partners that the estate file does not name. */
  prune: boolean
  /** Default: the command line. */
  actor?: Actor
  /** The number of areas per batch; other requests run between batches. Default: the size with the best throughput. */
  areasPerBatch?: number
}

export interface ApplyObserver {
  /** Called again when the transaction is retried: the differences from before were rolled back. */
  begin(): void
  difference(difference: Difference): void
  /** Called when a facility with all its areas, or a partner, has been applied. */
  itemDone(): void
  areasDone?(count: number): void
}

/** Applies an estate file in one transaction. If that is not possible, changes nothing and throws `EstateFaults`. */
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
      if (options.dryRun) throw new DryRunRollback(tally)
      if (changesIn(tally) >= minChangesToAnalyze) await analyzeTables(tx)
      return tally
    })
  } catch (error) {
    if (error instanceof DryRunRollback) return error.tally
    throw error
  }
}

/**
 * The minimum number of changes after which the planner statistics are updated. Otherwise a database server would plan
 * queries for the former size of the tables, until it updates the statistics itself.
 */
const minChangesToAnalyze = 1000

function changesIn(tally: EstateTally): number {
  return Object.values(tally).reduce((sum, { created, updated, removed }) => sum + created + updated + removed, 0)
}

class DryRunRollback extends Error {
  readonly tally: EstateTally

  constructor(tally: EstateTally) {
    super('dry run')
    this.tally = tally
  }
}

function applyIn(
  tx: Tx,
  wanted: WantedEstate,
  { prune, actor = commandLine, areasPerBatch }: ApplyOptions,
  observer: ApplyObserver,
): Promise<EstateTally> {
  const { difference: note, areasDone } = observer
  const about = { actor, note, highestFacilityId: wanted.highestFacilityId, ...(areasDone && { areasDone }) }
  return runEstateChange(tx, about, async (context) => {
    // Removes areas and facilities first, so that a full id can move from one facility to another.
    if (prune) await pruneEstate(context, wanted)
    for await (const batch of batches(wanted.items(), areasPerBatch)) {
      await applyFacilities(
        context,
        batch.flatMap((item) => (item.kind === 'facility' ? [item] : [])),
      )
      for (const item of batch) if (item.kind === 'partner') await applyPartner(context, item)
      for (const _ of batch) observer.itemDone()
      await yieldToEventLoop()
    }
    return context.tally
  })
}
