import { after, describe } from 'node:test'
import { differenceLine } from '../../src/cli/estate/estate-lines.ts'
import { EstateFaults } from '../../src/domain/estate.ts'
import type { EstateTally } from '../../src/domain/estate-difference.ts'
import { applyEstate } from '../../src/operations/estate/apply-estate.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { engines, type FreshDatabase, migratedDatabase } from '../harness/databases.ts'
import { read } from './reading.ts'

export interface Applied {
  /** The differences, one per line. */
  lines: string[]
  tally: EstateTally
}

/** Applies an estate, given as text or as an object. */
export async function apply(
  db: Db,
  estate: string | object,
  options: { prune?: boolean; dryRun?: boolean } = {},
): Promise<Applied> {
  const { items, ...outline } = await read(typeof estate === 'string' ? estate : JSON.stringify(estate))
  items.sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0))
  const lines: string[] = []
  const observer = {
    begin: () => void lines.splice(0),
    difference: (found: Parameters<typeof differenceLine>[0]) => void lines.push(differenceLine(found)),
    itemDone: () => {},
  }
  const tally = await applyEstate(
    db,
    { ...outline, items: () => items },
    { prune: false, dryRun: false, ...options },
    observer,
  )
  return { lines, tally }
}

/** Returns the faults of an estate; none when it was applied. */
export async function refusals(db: Db, estate: string | object, options: { prune?: boolean } = {}): Promise<string[]> {
  try {
    await apply(db, estate, options)
    return []
  } catch (error) {
    if (error instanceof EstateFaults) return error.faults.map(({ line, message }) => `${line}: ${message}`)
    throw error
  }
}

/** Runs a suite on each engine, with a function that opens an empty database. */
export function onFreshDatabases(title: string, suite: (fresh: () => Promise<Db>) => void): void {
  for (const engine of engines) {
    describe(`${title} (${engine})`, () => {
      const opened: { db: Db; database: FreshDatabase }[] = []
      after(async () => {
        for (const { db, database } of opened) {
          await db.close()
          await database.drop()
        }
      })
      suite(async () => {
        const database = await migratedDatabase(engine)
        const db = openDatabase(database.url)
        opened.push({ db, database })
        await migrate(db)
        return db
      })
    })
  }
}
