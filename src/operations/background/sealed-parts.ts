import { type SealedPart, valueFault, valueHashesIn } from '../../domain/audit/audit-faults.ts'
import { noSeal, type Seal, type StoredEntry } from '../../domain/audit/audit-seal.ts'
import { findAuditValue } from '../../storage/audit/audit.ts'
import { type AuditRoot, findRoot } from '../../storage/audit/audit-root.ts'
import { entriesBetween, findSeal, sealAfterNumber } from '../../storage/audit/audit-seal.ts'
import type { Db } from '../../storage/database.ts'
import type { Engine, Tx } from '../../storage/engine.ts'

export class SealedReadError extends Error {}

/**
 * Thrown when entries are missing because another node has removed old months, so it is no sign of tampering. The
 * reader starts again at the new root (the oldest seal that is kept).
 */
export class MonthsRemoved extends SealedReadError {
  constructor() {
    super('old months of the audit log were removed while it was read: start again')
  }
}

/**
 * Throws if the log now begins after this seal. Must be called after reading the entries that follow the seal: a
 * removal moves the root before it deletes, so if the root has not moved yet, no entry was missing.
 */
async function assertNotRemoved(source: Pick<Engine, 'ask'>, { number }: Pick<Seal, 'number'>): Promise<void> {
  if ((await findRoot(source)).number > number) throw new MonthsRemoved()
}

/** A position in the chain of seals (hashes over entries), after which the next part begins. */
export type Link = Pick<Seal, 'number' | 'last' | 'hash'>

/** The link before the first entry of a log from which nothing was removed. */
export const beforeFirst: Link = { ...noSeal, last: Number.MIN_SAFE_INTEGER }

/** Returns the seal at which the log begins; undefined when it is missing, although no removal has deleted it. */
export async function findRootSeal(db: Db, root: AuditRoot): Promise<Seal | undefined> {
  const seal = await db.read((tx) => findSeal(tx, root.number))
  await assertNotRemoved(db, root)
  return seal
}

/** Returns the seal after `before`, with the entries that it covers; undefined if `before` is the last seal. */
export async function nextSealedPart(tx: Tx, before: Pick<Seal, 'number' | 'last'>): Promise<SealedPart | undefined> {
  const seal = await sealAfterNumber(tx, before.number)
  if (seal === undefined) return undefined
  // If a seal is missing in between, starts at the first entry of this one. Otherwise the entries of the missing seal
  // would look as if they had been added to this one.
  const after = seal.number === before.number + 1 ? before.last : seal.first - 1
  const entries = await entriesBetween({ ask: tx.rows }, after, seal.last, Number.MAX_SAFE_INTEGER)
  const values = await faultyValues(tx, entries)
  await assertNotRemoved({ ask: tx.rows }, before)
  return { seal, entries, values }
}

async function faultyValues(tx: Tx, entries: StoredEntry[]): Promise<SealedPart['values']> {
  const faults: SealedPart['values'] = []
  for (const entry of entries) {
    for (const expected of valueHashesIn(entry)) {
      const fault = valueFault(expected, await findAuditValue(tx, expected))
      if (fault !== undefined) faults.push({ entry: entry.seq, fault })
    }
  }
  return faults
}
