import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { isEntryAfter } from '../../storage/audit/audit-seal.ts'
import { indexEntries, indexedOffset } from '../../storage/audit/facility-index.ts'
import type { Db } from '../../storage/database.ts'

/** The entries per transaction (about 10 ms). A larger batch writes fewer database pages per entry. */
const batchSize = 4000

/** Extends the index of the audit log up to the stable offset, in the background, to save requests the time. */
export async function indexAudit(db: Db): Promise<void> {
  if (!(await isEntryAfter(db, await indexedOffset(db)))) return
  const upTo = await db.stableOffset()
  while ((await db.write((tx) => indexEntries(tx, upTo, batchSize), { durability: 'relaxed' })) === batchSize)
    await yieldToEventLoop()
}
