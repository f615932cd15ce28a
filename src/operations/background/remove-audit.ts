import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type Actor, systemActor } from '../../domain/audit/audit.ts'
import {
  type AuditExport,
  addMonths,
  type ExportedSeals,
  monthOf,
  noSeals,
  withSeal,
} from '../../domain/audit/audit-export.ts'
import { nowIso } from '../../domain/time.ts'
import { recordAudit } from '../../storage/audit/audit.ts'
import {
  type AuditRoot,
  deleteEntriesBatch,
  deleteSealsBatch,
  deleteValuesBatch,
  findRoot,
  moveRoot,
} from '../../storage/audit/audit-root.ts'
import { findSeal } from '../../storage/audit/audit-seal.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { exportSealed } from './export-audit.ts'
import { MonthsRemoved, nextSealedPart } from './sealed-parts.ts'

/** The entries per transaction. All other writes in the embedded engine wait for it, which takes a few milliseconds. */
const entriesPerBatch = 500
const sealsPerBatch = 100
const valuesPerBatch = 20

export type SaveMonth = (month: string, exported: AuditExport) => Promise<ExportedSeals>

interface Retention {
  /** The actor of the audit entry; by default the service itself. */
  actor?: Actor
  /** How many months are kept besides the current one. */
  months: number
  /** Saves a month's seals and their entries, and returns which: only these are removed. Default: saves none. */
  save?: SaveMonth | undefined
  onRemoved?: (removed: RemovedMonth) => void
}

export interface RemovedMonth {
  month: string
  seals: number
  entries: number
}

/**
 * Removes a month of the audit log only if all its entries are sealed (hashed), unchanged and, with `save`, saved. The
 * month's last seal becomes the root (the oldest seal that is kept), and everything before it is deleted in batches. If
 * several nodes run this at once, only one of them moves the root.
 */
export async function removeOldAudit(db: Db, retention: Retention): Promise<void> {
  const keptFrom = addMonths(monthOf(nowIso()), -retention.months)
  await deleteRemoved(db)
  for (;;) {
    const root = await findRoot(db)
    try {
      const month = await oldestMonth(db, root)
      if (month === undefined || month >= keptFrom) return
      const removed = await removeMonth(db, root, month, retention)
      if (removed !== undefined) retention.onRemoved?.(removed)
    } catch (error) {
      // Another node is removing the same month: continues after the root that it has moved.
      if (!(error instanceof MonthsRemoved)) throw error
    }
    await deleteRemoved(db)
  }
}

/** Returns the month of the latest entry that the first seal covers; undefined if the log has no seal. */
async function oldestMonth(db: Db, root: AuditRoot): Promise<string | undefined> {
  const part = await db.read((tx) => nextSealedPart(tx, root))
  return part?.entries.reduce((latest, { at }) => (monthOf(at) > latest ? monthOf(at) : latest), '')
}

/** Makes the month's last seal the root (the oldest kept seal). Returns undefined if another node has done so first. */
async function removeMonth(
  db: Db,
  root: AuditRoot,
  month: string,
  { actor = systemActor, save = verified }: Retention,
): Promise<RemovedMonth | undefined> {
  const exported = await exportSealed(db, root, month)
  const { last, seals, entries } = await save(month, exported)
  if (last === undefined) throw new Error(`the export of ${month} is empty, so nothing was removed`)
  const isMoved = await db.write(async (tx) => {
    const seal = await findSeal(tx, last.number)
    if (seal?.hash !== last.hash)
      throw new Error(`the export of ${month} ends with another seal than the log has, so nothing was removed`)
    const detail = { month, seal: seal.number, hash: seal.hash, last_entry: seal.last, entries }
    if (!(await moveRoot(tx, root, seal))) return false
    recordAudit(tx, { actor, action: 'audit.remove', subject: month, detail })
    return true
  })
  return isMoved ? { month, seals, entries } : undefined
}

/** Used in place of `save` if a month need not be saved. Only reads the month's entries, which verifies their seals. */
async function verified(_month: string, exported: AuditExport): Promise<ExportedSeals> {
  let found = noSeals(exported.previous)
  for await (const part of exported.parts()) found = withSeal(found, part)
  return found
}

/**
 * Deletes entries, long values and seals before the root (the oldest kept seal). If interrupted, the next run goes on.
 */
async function deleteRemoved(db: Db): Promise<void> {
  await inBatches(db, async (tx) => ((await deleteValuesBatch(tx, valuesPerBatch)) ? 1 : undefined))
  await inBatches(db, (tx, after) => deleteEntriesBatch(tx, after, entriesPerBatch))
  await inBatches(db, (tx, after) => deleteSealsBatch(tx, after, sealsPerBatch))
}

/**
 * Deletes in batches. Pauses after each for as long as it took, so that requests can write at least half of the time
 * even if the engine has a single writer. Ends at once if another node is deleting, which then holds the lock.
 */
async function inBatches(db: Db, batch: (tx: Tx, after: number) => Promise<number | undefined>): Promise<void> {
  for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined; ) {
    const startMs = performance.now()
    const from: number = after
    after = await db.write(async (tx) => ((await tx.tryLock('atrium audit removal')) ? batch(tx, from) : undefined), {
      durability: 'relaxed',
    })
    await yieldToEventLoop()
    await sleep(performance.now() - startMs)
  }
}
