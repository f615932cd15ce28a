import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAtrium } from '../../torture/node.ts'
import type { Random } from '../../torture/random.ts'
import { collision, newFacilityId, newShortId, type Room, type Rooms } from './random-ids.ts'

export interface Estate {
  build: string
  databaseUrl: string
  /** The folder of estate files. */
  folder: string
  rooms: Rooms
}

const facilitiesPerBatch = 25

/** Adds new facilities with new rooms by `atrium apply`. Returns the rooms. */
export async function addBatch(
  { build, databaseUrl, folder, rooms }: Estate,
  random: Random,
  count: number,
): Promise<Room[]> {
  const added: Room[] = []
  const facilities = Array.from({ length: facilitiesPerBatch }, () => {
    const facility = newFacilityId(random, rooms)
    const own: Room[] = []
    rooms.byFacility.set(facility, own)
    for (let room = 0; room < count / facilitiesPerBatch; room++) {
      const short = newShortId(random, facility, rooms)
      const full = `${facility}-${short}`
      const made = { facility, short, full, canary: `canary ${rooms.byFull.size}`, isOpen: false }
      rooms.byFull.set(full, made)
      own.push(made)
      added.push(made)
    }
    const areas = own.map(({ short, canary }) => ({ id: short, name: canary }))
    return { id_external: facility, name: `name of ${facility}`, status: 'active', type: 'hotel', areas }
  })
  const { code, printed } = await apply({ build, databaseUrl, folder }, { facilities })
  if (code !== 0) throw new Error(`the batch was refused:\n${printed}`)
  return added
}

/** Returns what is wrong when a room with an ambiguous full id is added, undefined when it is refused. */
export async function refusesCollision(estate: Estate, random: Random): Promise<string | undefined> {
  const found = collision(random, estate.rooms)
  if (found === undefined) return 'no full id could be given a second meaning'
  const { facility, short } = found
  const { code, printed } = await apply(estate, {
    facilities: [{ id_external: facility, areas: [{ id: short, name: 'a second meaning' }] }],
  })
  const isClear = code !== 0 && printed.includes(`${facility}-${short}`.replaceAll(unseen, escaped))
  return isClear
    ? undefined
    : `"${short}" of ${facility} gave a full id two meanings, and apply said ${code}: ${printed}`
}

/** Prints characters by code point, since some are invisible. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function apply({ build, databaseUrl, folder }: Omit<Estate, 'rooms'>, estate: object) {
  const file = join(folder, 'estate.json')
  writeFileSync(file, JSON.stringify(estate))
  return runAtrium(build, { ATRIUM_DATABASE: databaseUrl }, 'apply', file)
}
