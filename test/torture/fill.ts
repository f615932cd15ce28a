import { migrate } from '../../src/storage/migrate.ts'
import { seed, tokensFor } from '../harness/seed.ts'
import { withDb } from '../harness/with-db.ts'

/** Fills a database with an estate as `atrium apply` does, and creates a token for each partner. */
export function fill(url: string, estate: { partners: { id: string }[] }): Promise<Record<string, string>> {
  return withDb(url, async (db) => {
    await migrate(db)
    await seed(db, estate)
    return tokensFor(db, estate.partners, 'harness')
  })
}

/** Stores a contract without checking its patterns, as older versions did. */
export function storeContract(url: string, partner: string, contract: object): Promise<void> {
  return withDb(url, async (db) => {
    const json = JSON.stringify(contract)
    await db.write((tx) => tx.query.updateTable('partner').set({ contract: json }).where('id', '=', partner).execute())
  })
}
