import { fullId, otherFacilities } from '../domain/identifier.ts'
import type { Tx } from '../storage/engine.ts'
import { facilityNumbers, type RoomElsewhere, roomsIn } from '../storage/estate/estate-area.ts'
import { listsOf } from '../storage/estate/estate-facility.ts'
import type { EstateContext, FacilityPair } from './estate/estate-context.ts'

interface Listed {
  facility: string
  /**
   * The ids of other facilities that might have a room with the same full id (`facility-area`) as an entry of the list.
   * For example, room `01-101` of `lyon` and an entry `101` of `lyon-01` are both `lyon-01-101`.
   */
  others: Iterable<string>
  /** Returns the short ids of the list's entries. Called only if one of the other facilities exists. */
  shorts(): string[]
}

/**
 * Returns the rooms of other facilities with the same full id as an entry of this facility's autocomplete list. Such an
 * id is ambiguous: `lyon-01-101` can be room `101` of `lyon-01` and room `01-101` of `lyon`, so that an installer could
 * open a room in the wrong building. Costs only one query if none of the other facilities exists.
 */
export async function roomsElsewhere(tx: Tx, { facility, others, shorts }: Listed): Promise<RoomElsewhere[]> {
  const asked = [...others]
  const existing = asked.length === 0 ? [] : await facilityNumbers(tx, asked)
  if (existing.length === 0) return []
  const begins = existing.map(({ idExternal }) => fullId(idExternal, ''))
  const ids = shorts().map((short) => fullId(facility, short))
  const doubtful = ids.filter((id) => begins.some((begin) => id.startsWith(begin)))
  return roomsIn(tx, new Map(existing.map(({ id, idExternal }) => [id, idExternal])), doubtful)
}

/**
 * Collects the autocomplete lists that might, after these changes, have an entry with the full id (`facility-area`) of
 * a room in another facility. `checkSuspectLists` checks them when all changes have been made.
 */
export async function collectSuspectLists(context: EstateContext, pairs: FacilityPair[]): Promise<void> {
  const changed = pairs.map((pair) => {
    const { item, facility, isNew, differences } = pair
    const isListed = differences.some(({ changes }) => changes.some(({ key }) => key === 'areas_autocomplete_list'))
    const entries = isNew || isListed ? (item.facility.entries ?? []) : []
    const areas = differences.flatMap(({ sign, area }) => (sign === '+' && area !== undefined ? [area] : []))
    const others = (shorts: { id: string }[]) => {
      return otherFacilities(
        facility.idExternal,
        shorts.map(({ id }) => id),
      )
    }
    return { pair, ofEntries: others(entries), ofAreas: others(areas) }
  })
  const all = new Set(changed.flatMap(({ ofEntries, ofAreas }) => [...ofEntries, ...ofAreas]))
  if (all.size === 0) return
  const existing = await facilityNumbers(context.tx, [...all])
  const { suspectLists: lists } = context
  for (const { pair, ofEntries, ofAreas } of changed) {
    const { facility, item } = pair
    const about = { line: item.line, isReplaced: true }
    if (existing.some(({ idExternal }) => ofEntries.has(idExternal))) lists.set(facility.id, { ...about, facility })
    for (const other of existing) {
      if (!ofAreas.has(other.idExternal) || lists.has(other.id)) continue
      lists.set(other.id, { ...about, facility: other, isReplaced: false })
    }
  }
}

/**
 * Adds a fault for each full id (`facility-area`) that now belongs both to an entry of one facility's autocomplete list
 * and to a room of another facility.
 */
export async function checkSuspectLists({ tx, now, faults, suspectLists }: EstateContext): Promise<void> {
  for (const { facility, line, isReplaced } of suspectLists.values()) {
    const entries = (await listsOf(tx, [facility])).get(facility.id) ?? []
    const shorts = entries.map(({ id }) => id)
    const others = otherFacilities(facility.idExternal, shorts)
    const rooms = await roomsElsewhere(tx, { facility: facility.idExternal, others, shorts: () => shorts })
    for (const room of rooms) {
      // Skips the conflict if this change neither replaced the list nor created the room, because then it is an old
      // one.
      if (!isReplaced && room.dateCreated !== now) continue
      const short = room.idExternal.slice(fullId(facility.idExternal, '').length)
      const entry = `the entry "${short}" in the list of facility ${facility.idExternal}`
      const meanings = `area "${room.short}" of facility ${room.facility} and ${entry}`
      faults.add({ line, message: `the full id "${room.idExternal}" would have two meanings: ${meanings}` })
    }
  }
}
