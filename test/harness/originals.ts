import type { Db } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { type Engine, engines, type FreshDatabase, freshDatabase, type Originals, originals } from './databases.ts'
import { estate } from './estate.ts'
import { seed, tokensFor } from './seed.ts'
import { withDb } from './with-db.ts'

/** Creates the templates for the processes that get this environment. */
export async function makeOriginals(): Promise<{ env: NodeJS.ProcessEnv; drop(): Promise<void> }> {
  const databases: FreshDatabase[] = []
  const made: Partial<Record<Engine, Originals>> = {}
  for (const engine of engines) {
    const migrated = await freshDatabase(engine)
    await withDb(migrated.url, migrate)
    const furnished = await migrated.copy()
    const tokens = await withDb(furnished.url, furnish)
    databases.push(migrated, furnished)
    made[engine] = { migrated: migrated.url, furnished: furnished.url, tokens }
  }
  const drop = async () => {
    for (const database of databases) await database.drop()
  }
  return { env: { [originals]: JSON.stringify(made) }, drop }
}

async function furnish(db: Db): Promise<Record<string, string>> {
  await seed(db, estate)
  return tokensFor(db, estate.partners)
}
