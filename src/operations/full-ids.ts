import { fullId, otherFacilities } from '../domain/identifier.ts'
import type { Tx } from '../storage/engine.ts'
import { facilityNumbers, type RoomElsewhere, roomsIn } from '../storage/estate/estate-area.ts'
import { listsOf } from '../storage/estate/estate-facility.ts'
import type { EstateContext, FacilityPair } from './estate/estate-context.ts'

interface Listed {
  facility: string
  /**
   * Other facilities that might have a room with the full id of an entry. For example, room `01-101` of `lyon` and an
   * entry `101` of `lyon-01` are both `lyon-01-101`.
   */
  others: Iterable<string>
  /** Returns the short ids of the list's entries. Called only if one of the other facilities exists. */
  shorts(): string[]
}

/**
 * Returns rooms of other facilities that have the full id of an entry. Such an id is ambiguous: an installer could open
 * a room in the wrong building. Costs only one query if none of the other facilities exists.
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

/** Collects the lists that might, after these changes, have an entry with the full id of a room elsewhere. */
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

/** Adds a fault for each full id that belongs both to a list's entry and to a room of another facility. */
export async function checkSuspectLists({ tx, now, faults, suspectLists }: EstateContext): Promise<void> {
  for (const { facility, line, isReplaced } of suspectLists.values()) {
    const entries = (await listsOf(tx, [facility])).get(facility.id) ?? []
    const shorts = entries.map(({ id }) => id)
    const others = otherFacilities(facility.idExternal, shorts)
    const rooms = await roomsElsewhere(tx, { facility: facility.idExternal, others, shorts: () => shorts })
    for (const room of rooms) {
      // Skips a conflict that existed before: this change neither replaced the list nor created the room.
      if (!isReplaced && room.dateCreated !== now) continue
      const short = room.idExternal.slice(fullId(facility.idExternal, '').length)
      const entry = `the entry "${short}" in the list of facility ${facility.idExternal}`
      const meanings = `area "${room.short}" of facility ${room.facility} and ${entry}`
      faults.add({ line, message: `the full id "${room.idExternal}" would have two meanings: ${meanings}` })
    }
  }
}
