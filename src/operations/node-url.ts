import type { Db } from '../storage/database.ts'
import * as stored from '../storage/node-url.ts'

/** Returns the address of the node that started last, which may have stopped since; undefined if none has started. */
export function findNodeUrl(db: Db): Promise<string | undefined> {
  return db.read(stored.findNodeUrl)
}

/** Stores the address of a node that starts. A node that starts again at the same address writes nothing. */
export async function recordNodeUrl(db: Db, url: string): Promise<void> {
  if ((await findNodeUrl(db)) === url) return
  await db.write(async (tx) => stored.writeNodeUrl(tx, url), { durability: 'relaxed' })
}
