import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { isEntryAfter } from '../../storage/audit/audit-seal.ts'
import { indexEntries, indexedOffset } from '../../storage/audit/facility-index.ts'
import type { Db } from '../../storage/database.ts'

/** How many entries are indexed per transaction, in about 10 ms. A larger batch writes fewer pages per entry. */
const batchSize = 4000

/**
 * Extends the index of audit entries by facility, up to the stable offset. It is built in the background, so that the
 * writes of requests do not pay for it.
 */
export async function indexAudit(db: Db): Promise<void> {
  if (!(await isEntryAfter(db, await indexedOffset(db)))) return
  const upTo = await db.stableOffset()
  while ((await db.write((tx) => indexEntries(tx, upTo, batchSize), { durability: 'relaxed' })) === batchSize)
    await yieldToEventLoop()
}
