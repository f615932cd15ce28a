import { after, before, describe } from 'node:test'
import { createToken, type IssuedToken } from '../../src/operations/token.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { engines, type FreshDatabase, migratedDatabase } from '../harness/databases.ts'
import { seed } from '../harness/seed.ts'

export interface Opened {
  db: Db
  url: string
  /** How often the database was asked something outside of transactions. */
  questions(): number
}

/** Runs a suite once on each engine, each time on a database with this estate and with no server before it. */
export function onEachDatabase(title: string, estate: object, suite: (opened: () => Opened) => void): void {
  for (const engine of engines) {
    describe(`${title} (${engine})`, () => {
      let database: FreshDatabase | undefined
      let db: Db | undefined
      let asked = 0
      const admit = (work: string) => {
        if (work === 'question') asked++
      }
      before(async () => {
        database = await migratedDatabase(engine)
        db = openDatabase(database.url, { admit })
        await migrate(db)
        await seed(db, estate)
      })
      after(async () => {
        await db?.close()
        await database?.drop()
      })
      suite(() => ({ db: db as Db, url: (database as FreshDatabase).url, questions: () => asked }))
    })
  }
}

/** A token for a partner of the estate, without an end and from everywhere unless it is said. */
export async function issue(
  db: Db,
  partner: string,
  rest: { expiresAt?: string; allowedRanges?: string[] } = {},
): Promise<IssuedToken> {
  const order = { partner, name: 'test', expiresAt: null, allowedRanges: [], ...rest }
  return (await createToken(db, order)) as IssuedToken
}
