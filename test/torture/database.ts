import { createToken } from '../../src/operations/token.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { type Engine, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { seed } from '../harness/seed.ts'

export interface Filled extends FreshDatabase {
  engine: Engine
  /** Of the estate's first partner. */
  token: string
}

interface Estate {
  partners: { id: string }[]
}

/** A database of its own with an estate in it, and a token for it. */
export async function filledDatabase(engine: Engine, estate: Estate): Promise<Filled> {
  const database = await freshDatabase(engine)
  return { ...database, engine, token: await fill(database.url, estate) }
}

/** Gives a new token of the estate's first partner. */
export async function fill(url: string, estate: Estate): Promise<string> {
  const db = openDatabase(url)
  try {
    await migrate(db)
    await seed(db, estate)
    const partner = estate.partners[0]?.id as string
    const issued = await createToken(db, { partner, name: 'torture', expiresAt: null, allowedRanges: [] })
    if (issued === undefined) throw new Error(`no partner ${partner}`)
    return issued.secret
  } finally {
    await db.close()
  }
}

/** One hospital `f` with rooms named 0, 1, 2 …, and a partner that may do all. */
export function roomsEstate(rooms: number) {
  const areas = Array.from({ length: rooms }, (_, n) => ({ id: `${n}`, name: `Room ${n}` }))
  return {
    facilities: [{ id_external: 'f', name: 'F', room_services: true, areas }],
    partners: [{ id: 'all', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
  }
}
