import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/storage/database.ts'

/** What was committed can be told: writers that have yet to end hold that up for a while. */
export async function allSettled({ auditFeed }: Pick<Db, 'auditFeed'>): Promise<void> {
  while ((await auditFeed.advance()) < (await auditFeed.lastOffset())) await sleep(5)
}
