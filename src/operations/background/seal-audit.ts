import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises'
import { sealAfter } from '../../domain/audit/audit-seal.ts'
import { nowIso } from '../../domain/time.ts'
import { addSeal, countEntriesAfter, entriesBetween, isEntryAfter, lastSeal } from '../../storage/audit/audit-seal.ts'
import type { Db } from '../../storage/database.ts'

/** What one seal holds at most: hashed in a few milliseconds, which is how long nobody else is answered. */
const entriesAtOnce = 250

export interface Sealed {
  seals: number
  entries: number
}

/**
 * Seals what was committed since the last seal, behind those who write: they never wait for it. An entry that could
 * still be preceded by another one waits for the next time. The seal of a number can be added once; a node that finds
 * it taken leaves the rest to the other.
 */
export async function sealAudit(db: Db): Promise<Sealed> {
  const sealed = { seals: 0, entries: 0 }
  let last = await lastSeal(db)
  if (!(await isEntryAfter(db, last.last))) return sealed
  const upTo = await db.settled()
  for (;;) {
    const entries = await entriesBetween(db, last.last, upTo, entriesAtOnce)
    if (entries.length === 0) return sealed
    const seal = sealAfter(last, entries, nowIso())
    if (!(await db.write((tx) => addSeal(tx, seal)))) return sealed
    last = seal
    sealed.seals++
    sealed.entries += entries.length
    await pause()
  }
}

const patienceMs = 5000
const triesEveryMs = 50

/** Seals whatever is there, and waits a while for transactions that keep it from being settled; tells what is left. */
export async function sealWhatIsThere(db: Db): Promise<Sealed & { unsealed: number }> {
  const deadlineMs = performance.now() + patienceMs
  const sealed = { seals: 0, entries: 0 }
  for (;;) {
    const { seals, entries } = await sealAudit(db)
    sealed.seals += seals
    sealed.entries += entries
    const unsealed = await countEntriesAfter(db, (await lastSeal(db)).last)
    // Where others write all the time there is always something left.
    if (unsealed === 0 || entries > 0 || performance.now() > deadlineMs) return { ...sealed, unsealed }
    await sleep(triesEveryMs)
  }
}
