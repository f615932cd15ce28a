import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/storage/database.ts'

/** What was committed can be told: writers that have yet to end hold that up for a while. */
export async function allSettled({ journal }: Pick<Db, 'journal'>): Promise<void> {
  while ((await journal.reach()) < (await journal.highest())) await sleep(5)
}
