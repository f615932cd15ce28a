import { Refusal } from '../domain/refusal.ts'
import type { Db } from '../storage/database.ts'

/** A node with too much to do is reachable: taking it away from its balancer would give the others more. */
export async function isReachable(db: Db): Promise<boolean> {
  try {
    await db.read((tx) => tx.query.selectFrom('atrium_migration').select('name').limit(1).execute())
    return true
  } catch (error) {
    return error instanceof Refusal && error.code === 'overloaded'
  }
}
