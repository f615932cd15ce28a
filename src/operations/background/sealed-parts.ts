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
  // If a seal is missing between `before` and this seal, starts at the first entry of this seal. Otherwise, the entries
  // of the missing seal would look as if they were added to this one.
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
