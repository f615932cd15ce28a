import { createToken } from '../../src/operations/token.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { seed } from '../harness/seed.ts'

/** Opens a database beside whatever serves it, for as long as the work takes. */
export async function withDb<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase(url)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Fills an empty database by the way that estate files go, and gives each partner a token. */
export function fill(url: string, estate: { partners: { id: string }[] }): Promise<Record<string, string>> {
  return withDb(url, async (db) => {
    await migrate(db)
    await seed(db, estate)
    const tokens: Record<string, string> = {}
    for (const { id } of estate.partners) {
      const issued = await createToken(db, { partner: id, name: 'harness', expiresAt: null, allowedRanges: [] })
      tokens[id] = issued?.secret ?? ''
    }
    return tokens
  })
}
