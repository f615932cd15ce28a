import { findList } from '../../storage/autocomplete-list.ts'
import { areaNames, type ListedFacility, listedAfter } from '../../storage/cms/attention.ts'
import type { Tx } from '../../storage/engine.ts'

/** Of one look, unless a single facility has more. */
const itemsAtMost = 5000
const keptAtMost = 100

/**
 * Which lists have drifted from the areas there are. Each look goes on where the last one ended, over a few facilities: a
 * small estate is seen whole at once, a large one bit by bit.
 */
export class Drift {
  readonly #differencesByFacility = new Map<string, number>()
  #afterId = 0

  /** Those that are known to have drifted, with how many differences. */
  async look(tx: Tx): Promise<ReadonlyMap<string, number>> {
    const facilities = await listedAfter(tx, this.#afterId)
    if (facilities.length === 0) this.#afterId = 0
    let items = 0
    for (const facility of facilities) {
      items += facility.areas + facility.entries
      if (items > itemsAtMost && items > facility.areas + facility.entries) break
      this.#note(facility.idExternal, await differencesIn(tx, facility))
      this.#afterId = facility.id
    }
    return this.#differencesByFacility
  }

  #note(facility: string, count: number): void {
    this.#differencesByFacility.delete(facility)
    if (count > 0 && this.#differencesByFacility.size < keptAtMost) this.#differencesByFacility.set(facility, count)
  }
}

async function differencesIn(tx: Tx, facility: ListedFacility): Promise<number> {
  const areas = await areaNames(tx, facility.id)
  const nameById = new Map(areas.map(({ id, name }) => [id, name]))
  const entries = await findList(tx, facility)
  const listed = new Set(entries.map(({ id }) => id))
  const wrong = entries.filter(({ id, name }) => nameById.get(id) !== name)
  return wrong.length + areas.filter(({ id }) => !listed.has(id)).length
}
