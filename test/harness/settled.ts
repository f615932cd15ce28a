import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/storage/database.ts'

/** Waits until what was committed is stable: open transactions that write audit entries delay that. */
export async function allSettled({ auditFeed }: Pick<Db, 'auditFeed'>): Promise<void> {
  while ((await auditFeed.advance()) < (await auditFeed.lastOffset())) await sleep(5)
}
