import { setImmediate as pause } from 'node:timers/promises'
import { findList } from '../../storage/autocomplete-list.ts'
import { areaNames, type ListedFacility, listedAfter } from '../../storage/cms/attention.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'

/** Read in one transaction, unless a single facility has more. */
const itemsAtOnce = 5000
/** The pause after a pass over all lists, in durations of that pass: while it is watched, drift costs a tenth. */
const restPerPass = 9
const restAtLeastMs = 1000

/** How the lists differ from the areas that exist. */
export interface DriftReport {
  /** The facilities whose list differs, with how many differences. */
  differences: ReadonlyMap<string, number>
  /** How many lists were compared so far. */
  checked: number
  /** Whether these are all. */
  isWhole: boolean
}

/**
 * Compares all lists with the areas that exist, in passes over all facilities, each in short transactions. A report is of
 * the last whole pass; until the first has ended, of what it has compared so far.
 */
export class Drift {
  readonly #db: Db
  #report: DriftReport = { differences: new Map(), checked: 0, isWhole: false }
  #passing: Promise<void> | undefined
  #restUntilMs = 0

  constructor(db: Db) {
    this.#db = db
  }

  /** Returns what is known and has it brought up to date in the background. */
  report(): DriftReport {
    if (performance.now() >= this.#restUntilMs) {
      this.#passing ??= this.#pass()
        .catch(() => {})
        .finally(() => (this.#passing = undefined))
    }
    return this.#report
  }

  /** A pass that fails is repeated by the next report. */
  async #pass(): Promise<void> {
    const startMs = performance.now()
    const differences = new Map<string, number>()
    let checked = 0
    for (let after = 0; ; ) {
      const compared = await this.#db.read((tx) => compareSome(tx, after))
      if (compared.length === 0) break
      for (const { facility, count } of compared) if (count > 0) differences.set(facility.idExternal, count)
      checked += compared.length
      after = compared.at(-1)?.facility.id ?? after
      if (!this.#report.isWhole) this.#report = { differences, checked, isWhole: false }
      await pause()
    }
    this.#report = { differences, checked, isWhole: true }
    const tookMs = performance.now() - startMs
    this.#restUntilMs = performance.now() + Math.max(restAtLeastMs, restPerPass * tookMs)
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
    if (items > itemsAtOnce && compared.length > 0) break
    compared.push({ facility, count: await differencesIn(tx, facility) })
  }
  return compared
}

async function differencesIn(tx: Tx, facility: ListedFacility): Promise<number> {
  const areas = await areaNames(tx, facility.id)
  const nameById = new Map(areas.map(({ id, name }) => [id, name]))
  const entries = await findList(tx, facility)
  const listed = new Set(entries.map(({ id }) => id))
  const wrong = entries.filter(({ id, name }) => nameById.get(id) !== name)
  return wrong.length + areas.filter(({ id }) => !listed.has(id)).length
}
