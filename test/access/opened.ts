import { after, before, describe } from 'node:test'
import { createToken, type IssuedToken } from '../../src/operations/access/token.ts'
import type { Db } from '../../src/storage/database.ts'
import { engines } from '../harness/databases.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'
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
      let own: OwnDatabase | undefined
      let asked = 0
      const admit = (work: string) => {
        if (work === 'query') asked++
      }
      before(async () => {
        own = await ownDatabase(engine, { admit })
        await seed(own.db, estate)
      })
      after(() => own?.end())
      suite(() => ({ ...(own as OwnDatabase), questions: () => asked }))
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
