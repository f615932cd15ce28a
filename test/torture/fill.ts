import { migrate } from '../../src/storage/migrate.ts'
import { seed, tokensFor } from '../harness/seed.ts'
import { withDb } from '../harness/with-db.ts'

/** Fills a database that is empty, or has its tables, by the way that estate files go, and gives each partner a token. */
export function fill(url: string, estate: { partners: { id: string }[] }): Promise<Record<string, string>> {
  return withDb(url, async (db) => {
    await migrate(db)
    await seed(db, estate)
    return tokensFor(db, estate.partners, 'harness')
  })
}

/** Stores a contract as a version that did not try patterns took it. */
export function storeContract(url: string, partner: string, contract: object): Promise<void> {
  return withDb(url, async (db) => {
    const json = JSON.stringify(contract)
    await db.write((tx) => tx.query.updateTable('partner').set({ contract: json }).where('id', '=', partner).execute())
  })
}
