import { type Engine, type FreshDatabase, migratedDatabase } from '../harness/databases.ts'
import { fill } from './fill.ts'

/** A new database with a hospital in it, for harnesses that start and stop nodes themselves. */
export interface RoomsDatabase extends FreshDatabase {
  /** The token of a partner with all rights. */
  token: string
}

/** The hospital is `f`, and its rooms are 0, 1, 2 … */
export async function databaseWithRooms(engine: Engine, rooms: number): Promise<RoomsDatabase> {
  const database = await migratedDatabase(engine)
  const { all = '' } = await fill(database.url, roomsEstate(rooms))
  return { ...database, token: all }
}

export function roomsEstate(rooms: number) {
  const areas = Array.from({ length: rooms }, (_, n) => ({ id: `${n}`, name: `Room ${n}` }))
  return {
    facilities: [{ id_external: 'f', name: 'F', room_services: true, areas }],
    partners: [{ id: 'all', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
  }
}
