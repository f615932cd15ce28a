import { setImmediate as pause } from 'node:timers/promises'
import { placeEntries, placesReach } from '../../storage/audit/audit-place.ts'
import { isEntryAfter } from '../../storage/audit/audit-seal.ts'
import type { Db } from '../../storage/database.ts'

/** The more at once, the more of them share a page; these take some ten milliseconds. */
const entriesAtOnce = 4000

/** Notes which entries of the audit log are about which facility, behind those who write. */
export async function placeAudit(db: Db): Promise<void> {
  if (!(await isEntryAfter(db, await placesReach(db)))) return
  const upTo = await db.settled()
  while ((await db.write((tx) => placeEntries(tx, upTo, entriesAtOnce), { durability: 'relaxed' })) === entriesAtOnce)
    await pause()
}
