import { commandLine } from '../../domain/audit/audit.ts'
import { type EstateFacility, EstateFaults } from '../../domain/estate.ts'
import type { Difference } from '../../domain/estate-difference.ts'
import { parseExactly } from '../../domain/exact-json.ts'
import { fullId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { parseSubscription, subscriptionsIn } from '../../domain/room/stored-room.ts'
import { isOtherStay, isSameSubscription, type WantedRoom } from '../../domain/room/wanted-room.ts'
import { type ListedArea, listAreas } from '../../storage/area-list.ts'
import type { Db } from '../../storage/database.ts'
import { findFacility } from '../../storage/facility.ts'
import { chunks } from '../chunks.ts'
import { applyEstate } from '../estate/apply-estate.ts'
import { changeRoom } from '../room/change-room.ts'
import { mirroring } from '../room/mirroring.ts'
import type { ServiceRules } from '../room/services.ts'

/** Throws `EstateFaults` if the facility cannot match that of the other installation. */
export async function mirrorFacility(db: Db, facility: EstateFacility): Promise<Difference[]> {
  try {
    return await applyOne(db, facility)
  } catch (error) {
    if (!(error instanceof EstateFaults) || facility.id === undefined) throw error
    // Tries again without the numeric id: the facility may exist here with another numeric id, which cannot change.
    const { id: _, ...rest } = facility
    return applyOne(db, rest)
  }
}

async function applyOne(db: Db, facility: EstateFacility): Promise<Difference[]> {
  let differences: Difference[] = []
  const wanted = {
    items: () => [{ kind: 'facility', facility }] as const,
    present: { facilities: true, partners: false },
    highestFacilityId: facility.id ?? 0,
  }
  const observer = {
    begin: () => {
      differences = []
    },
    difference: (one: Difference) => void differences.push(one),
    itemDone: () => {},
  }
  await applyEstate(db, wanted, { dryRun: false, prune: false }, observer)
  return differences
}

/** Returns the time zone of a facility. Undefined if it is UTC, the default, which the operator may not have chosen. */
export async function findTimezone(db: Db, facility: string): Promise<string | undefined> {
  const found = await db.read(async (tx) => findFacility(tx.rows, facility))
  return found?.facility.timezone === 'UTC' ? undefined : found?.facility.timezone
}

interface MirroredRooms {
  /** The full ids of the rooms that were changed. */
  changed: string[]
  /** Rooms that the other installation does not have, or that could not be changed, by full id. */
  left: { room: string; why: string }[]
}

const roomsPerBatch = 32

/** `wanted` has the rooms of the other installation by short id. */
export async function mirrorRooms(
  db: Db,
  facility: string,
  wanted: ReadonlyMap<string, WantedRoom>,
  rules: ServiceRules,
): Promise<MirroredRooms> {
  const stored = await db.read(async (tx) => {
    const found = await findFacility(tx.rows, facility)
    return found === undefined ? [] : listAreas(tx, found.facility.id)
  })
  const result: MirroredRooms = { changed: [], left: [] }
  const differing = stored.filter(({ short }) => wanted.has(short)).filter((area) => differs(area, wanted))
  for (const { short } of stored) {
    if (!wanted.has(short)) result.left.push({ room: fullId(facility, short), why: 'rooms that are only here' })
  }
  for (const some of chunks(differing, roomsPerBatch)) {
    await Promise.all(
      some.map(async ({ short }) => {
        const room = fullId(facility, short)
        try {
          if (await mirrorRoom(db, room, wanted.get(short) as WantedRoom, rules)) result.changed.push(room)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          result.left.push({ room, why: `rooms that cannot be as they are there: ${error.message}` })
        }
      }),
    )
  }
  result.changed.sort()
  return result
}

/** Returns whether the room changed. Skips permissions and contracts, which the other installation has checked. */
async function mirrorRoom(db: Db, area: string, wanted: WantedRoom, rules: ServiceRules): Promise<boolean> {
  const operation = wanted.subscriptions.length > 0 ? 'services' : 'open_close'
  const change = { operation, bodyHash: '', apply: mirroring(wanted, rules) } as const
  return (await changeRoom(db, { actor: commandLine }, { area, precondition: {} }, change)).isChanged
}

function differs({ json, lengths, short }: ListedArea, rooms: ReadonlyMap<string, WantedRoom>): boolean {
  const wanted = rooms.get(short) as WantedRoom
  const { cycle, opened_at: openedAt } = parseExactly(json) as { cycle: string | null; opened_at: string | null }
  if (isOtherStay({ cycle, openedAt }, wanted.stay)) return true
  const present = new Map(subscriptionsIn(json, lengths).map((one) => [parseSubscription(one).id, one]))
  return (
    present.size !== wanted.subscriptions.length ||
    wanted.subscriptions.some((one) => !isSameSubscription(present.get(one.id) ?? 'null', one))
  )
}
