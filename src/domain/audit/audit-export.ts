import type { SealedPart } from './audit-faults.ts'
import type { Seal } from './audit-seal.ts'

/** A run of seals with their entries, to be written to a file that can be verified on its own. */
export interface AuditExport {
  createdAt: string
  /** The seal before the first one, at which the chain of the file begins. */
  previous: Pick<Seal, 'number' | 'hash'>
  /** Yields the seals in order. Throws when one of them or an entry is faulty. */
  parts(): AsyncGenerator<SealedPart>
  /** Loads a long value of an entry by its hash. */
  loadValue(hash: string): Promise<string>
}

/** The seals of an export, or of a file that holds one. */
export interface ExportedSeals {
  previous: Pick<Seal, 'number' | 'hash'>
  /** The last seal; undefined when there is none. */
  last: Pick<Seal, 'number' | 'last' | 'hash'> | undefined
  seals: number
  entries: number
  /** The times of the first and the last entry. */
  from: string | null
  to: string | null
}

export function noSeals(previous: ExportedSeals['previous']): ExportedSeals {
  return { previous, last: undefined, seals: 0, entries: 0, from: null, to: null }
}

/** Returns the seals with one more. */
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

/** Returns the month of a time as `2026-01`. */
export function monthOf(at: string): string {
  return at.slice(0, 7)
}

/** Returns a month that is `count` months later, or earlier if it is negative. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7)
}
