import { after, before, describe } from 'node:test'
import { createToken, type IssuedToken } from '../../src/operations/access/token.ts'
import type { Db } from '../../src/storage/database.ts'
import { engines } from '../harness/databases.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'
import { seed } from '../harness/seed.ts'

export interface Opened {
  db: Db
  url: string
  /** The number of queries outside of transactions. */
  questions(): number
}

/** Runs a suite on each engine, on a database with this estate and without a server. */
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

/** Creates a token for a partner of the estate; by default without expiry or address ranges. */
export async function issue(
  db: Db,
  partner: string,
  rest: { expiresAt?: string; allowedRanges?: string[] } = {},
): Promise<IssuedToken> {
  const order = { partner, name: 'test', expiresAt: null, allowedRanges: [], ...rest }
  return (await createToken(db, order)) as IssuedToken
}
