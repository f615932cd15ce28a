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
import { nextSealedPart } from './sealed-parts.ts'

/** Entries per transaction: it takes some milliseconds, during which writes wait in the embedded engine. */
const entriesPerBatch = 500
const sealsPerBatch = 100
const valuesPerBatch = 20

export type SaveMonth = (month: string, exported: AuditExport) => Promise<ExportedSeals>

export interface Retention {
  /** The actor in the audit entry of a removal. Default: the service itself. */
  actor?: Actor
  /** How many months are kept besides the current one. */
  months: number
  /** Saves a month before it is removed. Returns what was saved, which is all that is removed. */
  save?: SaveMonth | undefined
  onRemoved?: (removed: RemovedMonth) => void
}

export interface RemovedMonth {
  month: string
  seals: number
  entries: number
}

/**
 * Removes the oldest months from the audit log, as long as there are more than are to be kept. A month is removed only
 * when all of it is sealed and whole, and when it is saved if that is asked for: its last seal becomes the root of the
 * log, and what comes before is deleted in batches. Several nodes can run this at the same time: the root moves once.
 */
export async function removeOldAudit(db: Db, retention: Retention): Promise<void> {
  const keptFrom = addMonths(monthOf(nowIso()), -retention.months)
  await deleteRemoved(db)
  for (;;) {
    const root = await findRoot(db)
    const month = await oldestMonth(db, root)
    if (month === undefined || month >= keptFrom) return
    const removed = await removeMonth(db, root, month, retention)
    if (removed !== undefined) retention.onRemoved?.(removed)
    await deleteRemoved(db)
  }
}

/** Returns the month in which the first seal after the root ends; undefined when nothing is sealed after it. */
async function oldestMonth(db: Db, root: AuditRoot): Promise<string | undefined> {
  const part = await db.read((tx) => nextSealedPart(tx, root))
  return part?.entries.reduce((latest, { at }) => (monthOf(at) > latest ? monthOf(at) : latest), '')
}

/** Returns undefined when another node was first. */
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
    const about = { facility: null, partner: null, subject: month, detail }
    recordAudit(tx, { at: nowIso(), actor, action: 'audit.remove', ...about })
    return true
  })
  return isMoved ? { month, seals, entries } : undefined
}

/** Reads the month without saving it: `parts` verifies it. */
async function verified(_month: string, exported: AuditExport): Promise<ExportedSeals> {
  let found = noSeals(exported.previous)
  for await (const part of exported.parts()) found = withSeal(found, part)
  return found
}

/** Deletes what comes before the root, values first, so that an interrupted run is finished by the next one. */
async function deleteRemoved(db: Db): Promise<void> {
  await inBatches(db, async (tx) => ((await deleteValuesBatch(tx, valuesPerBatch)) ? 1 : undefined))
  await inBatches(db, (tx, after) => deleteEntriesBatch(tx, after, entriesPerBatch))
  await inBatches(db, (tx, after) => deleteSealsBatch(tx, after, sealsPerBatch))
}

/**
 * Runs a batch after the other until there is none. Pauses as long as each took, so that requests get at least half of the
 * time of an engine with a single writer. One node deletes at a time: the others find the lock taken.
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
