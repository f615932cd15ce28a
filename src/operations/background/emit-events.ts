import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { nowIso } from '../../domain/time.ts'
import { announceExpiringTokens, isAnyTokenExpiring } from '../../storage/access/expiring-token.ts'
import type { Db } from '../../storage/database.ts'
import { isAnythingDue, passMoments } from '../../storage/service-moment.ts'

/** Writes audit entries for services that begin, will end soon, or end. Does not change the services. */
export async function emitServiceEvents(db: Db, endingSeconds: number): Promise<void> {
  if (!(await isAnythingDue(db.ask, nowIso()))) return
  while (await db.write((tx) => passMoments(tx, nowIso(), endingSeconds))) await yieldToEventLoop()
}

export async function emitTokenEvents(db: Db): Promise<void> {
  if (!(await isAnyTokenExpiring(db.ask, nowIso()))) return
  while (await db.write((tx) => announceExpiringTokens(tx, nowIso()))) await yieldToEventLoop()
}
