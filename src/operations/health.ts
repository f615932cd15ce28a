import { Refusal } from '../domain/refusal.ts'
import type { Db } from '../storage/database.ts'

/** Returns true also if this node is overloaded: taking it out of service would overload the other nodes. */
export async function isReachable(db: Db): Promise<boolean> {
  try {
    await db.read((tx) => tx.query.selectFrom('atrium_migration').select('name').limit(1).execute())
    return true
  } catch (error) {
    return error instanceof Refusal && error.code === 'overloaded'
  }
}
