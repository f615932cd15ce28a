import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { isEntryAfter } from '../../storage/audit/audit-seal.ts'
import { indexEntries, indexedOffset } from '../../storage/audit/facility-index.ts'
import type { Db } from '../../storage/database.ts'

/**
 * How many entries one transaction indexes, which takes about 10 ms. A larger batch writes fewer database pages per
 * entry.
 */
const batchSize = 4000

/**
 * Extends the index of audit entries by facility, up to the stable offset, below which no open transaction can add
 * entries. Runs in the background, so that requests do not spend time on the index.
 */
export async function indexAudit(db: Db): Promise<void> {
  if (!(await isEntryAfter(db, await indexedOffset(db)))) return
  const upTo = await db.stableOffset()
  while ((await db.write((tx) => indexEntries(tx, upTo, batchSize), { durability: 'relaxed' })) === batchSize)
    await yieldToEventLoop()
}
