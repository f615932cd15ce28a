import { hash } from 'node:crypto'
import { storedValuesOf } from '../../domain/audit/audit-detail.ts'
import {
  entryHash,
  noSeal,
  type Seal,
  type StoredEntry,
  sealedHashes,
  sealHash,
} from '../../domain/audit/audit-seal.ts'
import { countEntriesAfter, entriesOfSeal, lastSeal, sealAfterNumber } from '../../storage/audit/audit-seal.ts'
import { findAuditValue } from '../../storage/audit/audit-value.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'

export interface AuditFault {
  /** The faulty part: an entry, a long value of it, a seal, its link to the seal before, or the expected head. */
  of: 'entry' | 'value' | 'seal' | 'link' | 'head'
  seal: number | null
  entry: number | null
  fault: 'changed' | 'missing' | 'added'
}

export interface Verification {
  entries: number
  seals: number
  unsealed: number
  /** The hash of the last seal, which covers all seals before it. */
  head: string | null
  faults: AuditFault[]
}

export interface VerifyOptions {
  /** A head that was noted earlier. It must still be in the chain, or the chain was rewritten. */
  head?: string
  progress?(part: number): void
}

/** The number of faults after which the verification stops. */
export const maxAuditFaults = 100

/** Verifies the hash chain over the audit log, seal by seal, and every entry that the seals cover. */
export async function verifyAudit(db: Db, { head, progress = () => {} }: VerifyOptions = {}): Promise<Verification> {
  const total = (await lastSeal(db)).number
  const found: Verification = { entries: 0, seals: 0, unsealed: 0, head: null, faults: [] }
  let before: Pick<Seal, 'number' | 'last' | 'hash'> = { ...noSeal, last: Number.MIN_SAFE_INTEGER }
  let isHeadKnown = head === undefined
  while (found.faults.length < maxAuditFaults) {
    const next = await db.read((tx) => sealWithEntries(tx, before))
    if (next === undefined) break
    found.faults.push(...faultsOf(before, next))
    found.seals++
    found.entries += next.entries.length
    before = next.seal
    isHeadKnown ||= before.hash === head
    progress(before.number / total)
  }
  if (found.seals > 0) found.head = before.hash
  if (!isHeadKnown) found.faults.push({ of: 'head', seal: null, entry: null, fault: 'missing' })
  found.unsealed = await countEntriesAfter(db, before.last)
  return found
}

interface SealWithEntries {
  seal: Seal
  entries: StoredEntry[]
  /** The faults of entries with a long value that is missing or changed. */
  values: Pick<AuditFault, 'entry' | 'fault'>[]
}

async function sealWithEntries(tx: Tx, before: Pick<Seal, 'number' | 'last'>): Promise<SealWithEntries | undefined> {
  const seal = await sealAfterNumber(tx, before.number)
  if (seal === undefined) return undefined
  // If the previous seal is missing, its entries must not be counted as added to this seal.
  const after = seal.number === before.number + 1 ? before.last : seal.first - 1
  const entries = await entriesOfSeal(tx, after, seal.last)
  return { seal, entries, values: await faultyValues(tx, entries) }
}

async function faultyValues(tx: Tx, entries: StoredEntry[]): Promise<SealWithEntries['values']> {
  const faults: SealWithEntries['values'] = []
  for (const { seq, detail } of entries) {
    for (const expected of hashesIn(detail)) {
      const value = await findAuditValue(tx, expected)
      if (value === undefined) faults.push({ entry: seq, fault: 'missing' })
      else if (hash('sha256', value, 'hex') !== expected) faults.push({ entry: seq, fault: 'changed' })
    }
  }
  return faults
}

/**
 * Returns the hashes of an entry's long values; none for text that is no JSON, which the entry's own hash shows as a
 * fault.
 */
function hashesIn(detail: string): string[] {
  if (!detail.includes('"stored":')) return []
  try {
    return storedValuesOf(JSON.parse(detail))
  } catch {
    return []
  }
}

function faultsOf(before: Pick<Seal, 'number' | 'hash'>, { seal, entries, values }: SealWithEntries): AuditFault[] {
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
