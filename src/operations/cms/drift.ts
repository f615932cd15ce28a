import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { areaNames } from '../../storage/area-list.ts'
import { findList } from '../../storage/autocomplete-list.ts'
import { type ListedFacility, listedAfter } from '../../storage/cms/attention.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { differencesBetween } from './list.ts'

/** Areas and list entries per transaction, unless one facility alone has more. */
const itemsPerBatch = 5000
/** The pause after a pass, as a multiple of its duration: passes take at most a tenth of a node's time. */
const pausePerPass = 9
const minPauseMs = 1000

export interface DriftReport {
  /** The number of differences, by external id of the facility. Facilities without differences are not in the map. */
  differences: ReadonlyMap<string, number>
  /** How many autocomplete lists were compared. */
  checked: number
  /** Whether all facilities were compared. */
  isWhole: boolean
}

/**
 * Compares all autocomplete lists with the areas of their facilities. Calling `report` starts a pass over all of them
 * in the background, unless the last one was recent. It returns the result of the last complete pass; during the first
 * one, what was compared until then.
 */
export class Drift {
  readonly #db: Db
  #report: DriftReport = { differences: new Map(), checked: 0, isWhole: false }
  #passing: Promise<void> | undefined
  #nextPassAtMs = 0

  constructor(db: Db) {
    this.#db = db
  }

  report(): DriftReport {
    if (performance.now() >= this.#nextPassAtMs) {
      this.#passing ??= this.#pass()
        .catch(() => {})
        .finally(() => (this.#passing = undefined))
    }
    return this.#report
  }

  /** Compares the lists of all facilities. After a failure, the next call of `report` tries again. */
  async #pass(): Promise<void> {
    const startMs = performance.now()
    const differences = new Map<string, number>()
    let checked = 0
    for (let after = 0; ; ) {
      const compared = await this.#db.readFromReplica((tx) => compareSome(tx, after))
      if (compared.length === 0) break
      for (const { facility, count } of compared) if (count > 0) differences.set(facility.idExternal, count)
      checked += compared.length
      after = compared.at(-1)?.facility.id ?? after
      if (!this.#report.isWhole) this.#report = { differences, checked, isWhole: false }
      await yieldToEventLoop()
    }
    this.#report = { differences, checked, isWhole: true }
    const tookMs = performance.now() - startMs
    this.#nextPassAtMs = performance.now() + Math.max(minPauseMs, pausePerPass * tookMs)
  }
}

interface Compared {
  facility: ListedFacility
  count: number
}

async function compareSome(tx: Tx, after: number): Promise<Compared[]> {
  const compared: Compared[] = []
  let items = 0
  for (const facility of await listedAfter(tx, after)) {
    items += facility.areas + facility.entries
    if (items > itemsPerBatch && compared.length > 0) break
    compared.push({ facility, count: await differencesIn(tx, facility) })
  }
  return compared
}

async function differencesIn(tx: Tx, facility: ListedFacility): Promise<number> {
  const found = differencesBetween(await findList(tx, facility), await areaNames(tx, facility.id))
  return found.onlyInList.length + found.onlyInAreas.length + found.namedDifferently.length
}
