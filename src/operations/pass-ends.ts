import { setImmediate as pause } from 'node:timers/promises'
import { nowIso } from '../domain/time.ts'
import type { Db } from '../storage/database.ts'
import { passEnds } from '../storage/service-end.ts'

/** Keeps at hand which services end next. Nothing that anybody sees of a room changes by it. */
export async function passServiceEnds(db: Db): Promise<void> {
  while (await db.write((tx) => passEnds(tx, nowIso()))) await pause()
}
