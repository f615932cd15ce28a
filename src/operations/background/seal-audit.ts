import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sealAfter } from '../../domain/audit/audit-seal.ts'
import { nowIso } from '../../domain/time.ts'
import { addSeal, countEntriesAfter, entriesBetween, isEntryAfter, lastSeal } from '../../storage/audit/audit-seal.ts'
import type { Db } from '../../storage/database.ts'

/** Hashing that many entries blocks the event loop for a few milliseconds. */
const maxEntriesPerSeal = 250

export interface Sealed {
  seals: number
  entries: number
}

/**
 * Seals (hashes) entries up to the stable offset, below which nothing can still commit. Requests never wait for
 * sealing. Stops if another node has added the next seal first.
 */
export async function sealAudit(db: Db): Promise<Sealed> {
  const sealed = { seals: 0, entries: 0 }
  let last = await lastSeal(db)
  if (!(await isEntryAfter(db, last.last))) return sealed
  const upTo = await db.stableOffset()
  for (;;) {
    const entries = await entriesBetween(db, last.last, upTo, maxEntriesPerSeal)
    if (entries.length === 0) return sealed
    const seal = sealAfter(last, entries, nowIso())
    if (!(await db.write((tx) => addSeal(tx, seal)))) return sealed
    last = seal
    sealed.seals++
    sealed.entries += entries.length
    await yieldToEventLoop()
  }
}

const timeoutMs = 5000
const retryDelayMs = 50

/**
 * Seals all entries. Waits, up to a timeout, for open transactions, because entries that come after theirs cannot be
 * sealed before they end. `unsealed` counts the entries that are left.
 */
export async function sealAll(db: Db): Promise<Sealed & { unsealed: number }> {
  const deadlineMs = performance.now() + timeoutMs
  const sealed = { seals: 0, entries: 0 }
  for (;;) {
    const { seals, entries } = await sealAudit(db)
    sealed.seals += seals
    sealed.entries += entries
    const unsealed = await countEntriesAfter(db, (await lastSeal(db)).last)
    // Stops as soon as entries were sealed, even if some are left: under constant writes, there would always be more.
    if (unsealed === 0 || entries > 0 || performance.now() > deadlineMs) return { ...sealed, unsealed }
    await sleep(retryDelayMs)
  }
}
