import { type AuditFault, faultsOf, maxAuditFaults } from '../../domain/audit/audit-faults.ts'
import { type StoredEntry, sealHash } from '../../domain/audit/audit-seal.ts'
import { type AuditRoot, findRoot } from '../../storage/audit/audit-root.ts'
import { countEntriesAfter, entriesBetween, lastSeal } from '../../storage/audit/audit-seal.ts'
import type { Db } from '../../storage/database.ts'
import { beforeFirst, findRootSeal, type Link, MonthsRemoved, nextSealedPart } from './sealed-parts.ts'

export interface Verification {
  entries: number
  seals: number
  unsealed: number
  /** The hash of the root, the kept seal of the last removed entries; null if no months were removed. */
  root: string | null
  /** The hash of the last seal, which covers all seals before it. */
  head: string | null
  faults: AuditFault[]
}

export interface VerifyOptions {
  /** The `head` of an earlier verification. If no seal has this hash any more, the chain was rewritten. */
  head?: string
  progress?(part: number): void
}

/**
 * Verifies the chain of seals (hashes over entries), and every entry that they cover. A log whose oldest months were
 * removed begins at its root, whose hash must be in the audit entry that records the removal. If months are removed
 * while it reads, it begins again.
 */
export async function verifyAudit(db: Db, options: VerifyOptions = {}): Promise<Verification> {
  for (;;) {
    try {
      return await verifyFromRoot(db, options)
    } catch (error) {
      if (!(error instanceof MonthsRemoved)) throw error
    }
  }
}

async function verifyFromRoot(db: Db, { head, progress = () => {} }: VerifyOptions): Promise<Verification> {
  const root = await findRoot(db)
  const total = (await lastSeal(db)).number - root.number
  const found: Verification = { entries: 0, seals: 0, unsealed: 0, root: null, head: null, faults: [] }
  let before = await beginning(db, root, found)
  let isHeadKnown = head === undefined || before.hash === head
  let isRemovalKnown = root.number === 0
  const look = (entries: StoredEntry[]) => {
    isRemovalKnown ||= entries.some((entry) => isRemovalUpTo(entry, root, found.root))
  }
  while (found.faults.length < maxAuditFaults) {
    const next = await db.readFromReplica((tx) => nextSealedPart(tx, before))
    if (next === undefined) break
    found.faults.push(...faultsOf(before, next))
    found.seals++
    found.entries += next.entries.length
    look(next.entries)
    before = next.seal
    isHeadKnown ||= before.hash === head
    progress((before.number - root.number) / total)
  }
  if (before.hash !== '') found.head = before.hash
  if (!isHeadKnown) found.faults.push({ of: 'head', seal: null, entry: null, fault: 'missing' })
  found.unsealed = await countEntriesAfter(db, before.last)
  if (!isRemovalKnown) look(await entriesBetween(db, before.last, Number.MAX_SAFE_INTEGER, maxUnsealed))
  if (!isRemovalKnown) found.faults.push({ of: 'root', seal: root.number, entry: null, fault: 'missing' })
  return found
}

/** The unsealed entries searched for the record of a removal. More are rare: entries are sealed within seconds. */
const maxUnsealed = 10_000

async function beginning(db: Db, root: AuditRoot, found: Verification): Promise<Link> {
  if (root.number === 0) return beforeFirst
  const seal = await findRootSeal(db, root)
  if (seal === undefined) {
    found.faults.push({ of: 'seal', seal: root.number, entry: null, fault: 'missing' })
    return { ...root, hash: '' }
  }
  if (sealHash(seal) !== seal.hash || seal.last !== root.last)
    found.faults.push({ of: 'seal', seal: root.number, entry: null, fault: 'changed' })
  found.root = seal.hash
  return seal
}

function isRemovalUpTo({ action, detail }: StoredEntry, { number }: AuditRoot, hash: string | null): boolean {
  if (action !== 'audit.remove') return false
  try {
    const removed = JSON.parse(detail)
    return removed.seal === number && removed.hash === hash
  } catch {
    return false
  }
}
