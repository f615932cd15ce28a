import { hash } from 'node:crypto'
import { storedValuesOf } from './audit-detail.ts'
import { entryHash, type Seal, type StoredEntry, sealedHashes, sealHash } from './audit-seal.ts'

export interface AuditFault {
  /**
   * The faulty part of the audit log. `value`: a long value of an entry. `link`: in a seal (hash over entries), the
   * hash of the previous seal. `root`: the entry that records the removal of the oldest months. `head`: a hash of a
   * seal that the caller noted earlier.
   */
  of: 'entry' | 'value' | 'seal' | 'link' | 'root' | 'head'
  seal: number | null
  entry: number | null
  fault: 'changed' | 'missing' | 'added'
}

export interface SealedPart {
  seal: Seal
  entries: StoredEntry[]
  /** The entries of which a long value, stored in a table of its own, is missing or changed. */
  values: Pick<AuditFault, 'entry' | 'fault'>[]
}

/** The number of faults after which a verification stops. */
export const maxAuditFaults = 100

/** Compares a seal with the previous one and with its entries. */
export function faultsOf(before: Pick<Seal, 'number' | 'hash'>, { seal, entries, values }: SealedPart): AuditFault[] {
  const faults: AuditFault[] = []
  const note = (of: AuditFault['of'], number: number, entry: number | null, fault: AuditFault['fault']) =>
    faults.push({ of, seal: number, entry, fault })
  const expected = before.number + 1
  if (seal.number !== expected) note('seal', expected, null, 'missing')
  else if (seal.previous !== before.hash) note('link', seal.number, null, 'changed')
  if (sealHash(seal) !== seal.hash) note('seal', seal.number, null, 'changed')
  const sealed = sealedHashes(seal)
  for (const entry of entries) {
    const expected = sealed.get(entry.seq)
    if (expected === undefined) note('entry', seal.number, entry.seq, 'added')
    else if (expected !== entryHash(entry)) note('entry', seal.number, entry.seq, 'changed')
    sealed.delete(entry.seq)
  }
  for (const seq of sealed.keys()) note('entry', seal.number, seq, 'missing')
  for (const { entry, fault } of values) note('value', seal.number, entry, fault)
  return faults
}

export function valueFault(expected: string, value: string | undefined): 'missing' | 'changed' | undefined {
  if (value === undefined) return 'missing'
  return hash('sha256', value, 'hex') === expected ? undefined : 'changed'
}

/** Returns the hashes of long values; none if the detail is invalid JSON, which the entry's own hash reveals. */
export function valueHashesIn({ detail }: Pick<StoredEntry, 'detail'>): string[] {
  if (!detail.includes('"stored":')) return []
  try {
    return storedValuesOf(JSON.parse(detail))
  } catch {
    return []
  }
}
