import { setImmediate as pause } from 'node:timers/promises'
import { placeEntries, placesReach } from '../../storage/audit/audit-place.ts'
import { isEntryAfter } from '../../storage/audit/audit-seal.ts'
import type { Db } from '../../storage/database.ts'

/** A larger batch writes fewer pages per entry. This one takes about 10 ms. */
const batchSize = 4000

/**
 * Extends the index of audit entries by facility, up to the stable offset. It is built in the background, so that the
 * writes of requests do not pay for it.
 */
export async function placeAudit(db: Db): Promise<void> {
  if (!(await isEntryAfter(db, await placesReach(db)))) return
  const upTo = await db.settled()
  while ((await db.write((tx) => placeEntries(tx, upTo, batchSize), { durability: 'relaxed' })) === batchSize)
    await pause()
}
