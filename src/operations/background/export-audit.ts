import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type AuditExport, addMonths } from '../../domain/audit/audit-export.ts'
import { type AuditFault, faultsOf, type SealedPart } from '../../domain/audit/audit-faults.ts'
import { nowIso } from '../../domain/time.ts'
import { findAuditValue } from '../../storage/audit/audit.ts'
import { type AuditRoot, findRoot } from '../../storage/audit/audit-root.ts'
import { lastSeal } from '../../storage/audit/audit-seal.ts'
import type { Db } from '../../storage/database.ts'
import { beforeFirst, findRootSeal, type Link, nextSealedPart, SealedReadError } from './sealed-parts.ts'

/**
 * Thrown when audit entries or seals (hashes over entries) were changed after sealing. A month with such changes is
 * never removed, because the log is evidence.
 */
class AuditNotWhole extends SealedReadError {
  readonly faults: AuditFault[]

  constructor(faults: AuditFault[]) {
    const { seal } = faults[0] as AuditFault
    super(`the audit log is not whole at seal ${seal}: run \`atrium audit verify\` to see what was changed`)
    this.faults = faults
  }
}

/** Exports up to the end of the month `until` (`2026-01`). `span` is the maximum number of entries, for progress. */
export async function exportAudit(db: Db, until?: string): Promise<{ exported: AuditExport; span: number }> {
  const root = await findRoot(db)
  const { last } = await lastSeal(db)
  return { exported: await exportSealed(db, root, until), span: last - root.last }
}

/** Begins after `root`, the oldest kept seal. With a `month` (`2026-01`), stops before the first later entry's seal. */
export async function exportSealed(db: Db, root: AuditRoot, month?: string): Promise<AuditExport> {
  const before = await linkAt(db, root)
  const end = month === undefined ? undefined : addMonths(month, 1)
  return {
    createdAt: nowIso(),
    previous: { number: before.number, hash: before.hash },
    parts: () => sealedParts(db, before, end),
    loadValue: async (hash) => (await db.readFromReplica((tx) => findAuditValue(tx, hash))) as string,
  }
}

async function linkAt(db: Db, root: AuditRoot): Promise<Link> {
  if (root.number === 0) return beforeFirst
  const seal = await findRootSeal(db, root)
  if (seal === undefined) throw new AuditNotWhole([{ of: 'seal', seal: root.number, entry: null, fault: 'missing' }])
  return seal
}

async function* sealedParts(db: Db, first: Link, end: string | undefined): AsyncGenerator<SealedPart> {
  for (let before = first; ; ) {
    const next = await db.readFromReplica((tx) => nextSealedPart(tx, before))
    if (next === undefined || (end !== undefined && next.entries.some(({ at }) => at >= end))) return
    const faults = faultsOf(before, next)
    if (faults.length > 0) throw new AuditNotWhole(faults)
    yield next
    before = next.seal
    await yieldToEventLoop()
  }
}
