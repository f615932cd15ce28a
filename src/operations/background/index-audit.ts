import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { isEntryAfter } from '../../storage/audit/audit-seal.ts'
import { indexEntries, indexedOffset } from '../../storage/audit/facility-index.ts'
import type { Db } from '../../storage/database.ts'

/** Takes about 10 ms per transaction. A larger batch writes fewer database pages per entry. */
const batchSize = 4000

/** Extends the index up to the stable offset, in the background, so that requests do not spend time on it. */
export async function indexAudit(db: Db): Promise<void> {
  if (!(await isEntryAfter(db, await indexedOffset(db)))) return
  const upTo = await db.stableOffset()
  while ((await db.write((tx) => indexEntries(tx, upTo, batchSize), { durability: 'relaxed' })) === batchSize)
    await yieldToEventLoop()
}
