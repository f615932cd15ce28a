import { setImmediate as pause } from 'node:timers/promises'
import { nowIso } from '../../domain/time.ts'
import type { Db } from '../../storage/database.ts'
import { isAnythingDue, passMoments } from '../../storage/service-moment.ts'

/** Tells of services that begin, end soon or end. Nothing that anybody sees of a room changes by it. */
export async function passServiceMoments(db: Db, endingSeconds: number): Promise<void> {
  if (!(await isAnythingDue(db.ask, nowIso()))) return
  while (await db.write((tx) => passMoments(tx, nowIso(), endingSeconds))) await pause()
}
