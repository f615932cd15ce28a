import type { Db } from '../storage/database.ts'

export async function isReachable(db: Db): Promise<boolean> {
  try {
    await db.read((tx) => tx.query.selectFrom('atrium_migration').select('name').limit(1).execute())
    return true
  } catch {
    return false
  }
}
