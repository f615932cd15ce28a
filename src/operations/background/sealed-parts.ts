import { type SealedPart, valueFault, valueHashesIn } from '../../domain/audit/audit-faults.ts'
import type { Seal, StoredEntry } from '../../domain/audit/audit-seal.ts'
import { entriesOfSeal, sealAfterNumber } from '../../storage/audit/audit-seal.ts'
import { findAuditValue } from '../../storage/audit/audit-value.ts'
import type { Tx } from '../../storage/engine.ts'

/**
 * Returns the seal (hash) that follows `before`, with the audit entries it covers. Returns undefined if `before` is the
 * last seal.
 */
export async function nextSealedPart(tx: Tx, before: Pick<Seal, 'number' | 'last'>): Promise<SealedPart | undefined> {
  const seal = await sealAfterNumber(tx, before.number)
  if (seal === undefined) return undefined
  // If the seal `before` is not the direct predecessor of this one, a seal between them is missing. Then starts at this
  // seal's own first entry: otherwise, the missing seal's entries would look as if they were added to this one.
  const after = seal.number === before.number + 1 ? before.last : seal.first - 1
  const entries = await entriesOfSeal(tx, after, seal.last)
  return { seal, entries, values: await faultyValues(tx, entries) }
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
