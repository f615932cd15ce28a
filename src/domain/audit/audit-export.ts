import type { SealedPart } from './audit-faults.ts'
import type { Seal } from './audit-seal.ts'

/** Consecutive seals (hashes over audit entries) with their entries. Can be verified without the database. */
export interface AuditExport {
  createdAt: string
  /** The seal before the first one in the export. The first seal in the file contains its hash. */
  previous: Pick<Seal, 'number' | 'hash'>
  /** Throws when a seal or an entry does not match its hash. */
  parts(): AsyncGenerator<SealedPart>
  loadValue(hash: string): Promise<string>
}

export interface ExportedSeals {
  previous: Pick<Seal, 'number' | 'hash'>
  last: Pick<Seal, 'number' | 'last' | 'hash'> | undefined
  seals: number
  entries: number
  /** The times of the first and the last entry; null when there are no entries. */
  from: string | null
  to: string | null
}

export function noSeals(previous: ExportedSeals['previous']): ExportedSeals {
  return { previous, last: undefined, seals: 0, entries: 0, from: null, to: null }
}

export function withSeal(
  before: ExportedSeals,
  { seal, entries }: Pick<SealedPart, 'seal' | 'entries'>,
): ExportedSeals {
  return {
    previous: before.previous,
    last: seal,
    seals: before.seals + 1,
    entries: before.entries + entries.length,
    from: before.from ?? entries[0]?.at ?? null,
    to: entries.at(-1)?.at ?? before.to,
  }
}

/** Returns the month of a time, in the form `2026-01`. */
export function monthOf(at: string): string {
  return at.slice(0, 7)
}

export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7)
}
