import { hash } from 'node:crypto'

// Makes the audit log tamper-evident: a background job seals runs of entries. A seal holds the hash of each entry and
// the hash of the seal before it (a hash chain). `atrium audit verify` therefore finds any entry that was changed,
// removed or inserted later, unless all later seals were forged as well.

/** An entry of the audit log as the database holds it. */
export interface StoredEntry {
  seq: number
  at: string
  actor_kind: string
  actor: string
  token: string | null
  request_id: string | null
  address: string | null
  action: string
  facility: string | null
  partner: string | null
  subject: string | null
  detail: string
}

/** Covers the entries after the previous seal, up to number `last`. */
export interface Seal {
  number: number
  first: number
  last: number
  count: number
  /** The hash of each sealed entry as `seq:hash`, joined by commas. */
  hashes: string
  /** The hash of the previous seal; an empty text in the first seal. */
  previous: string
  sealedAt: string
  hash: string
}

/** Takes the place of the previous seal for the first one. */
export const noSeal: Pick<Seal, 'number' | 'last' | 'hash'> = { number: 0, last: 0, hash: '' }

/** Hashes a JSON array: if the columns were just joined, entries that differ could have the same text. */
export function entryHash(entry: StoredEntry): string {
  const { seq, at, actor_kind, actor, token, request_id, address } = entry
  const { action, facility, partner, subject, detail } = entry
  const who = [actor_kind, actor, token, request_id, address]
  return hash('sha256', JSON.stringify([seq, at, ...who, action, facility, partner, subject, detail]), 'base64url')
}

export function sealHash({ number, first, last, count, hashes, previous, sealedAt }: Omit<Seal, 'hash'>): string {
  return hash('sha256', JSON.stringify([number, first, last, count, hashes, previous, sealedAt]), 'hex')
}

/** The entries must be in order, not empty, and later than all entries that are sealed already. */
export function sealAfter(before: Pick<Seal, 'number' | 'hash'>, entries: StoredEntry[], sealedAt: string): Seal {
  const seal = {
    number: before.number + 1,
    first: entries[0]?.seq ?? 0,
    last: entries.at(-1)?.seq ?? 0,
    count: entries.length,
    hashes: entries.map((entry) => `${entry.seq}:${entryHash(entry)}`).join(),
    previous: before.hash,
    sealedAt,
  }
  return { ...seal, hash: sealHash(seal) }
}

/** Returns the hash of each entry by its number. */
export function sealedHashes({ hashes }: Pick<Seal, 'hashes'>): Map<number, string> {
  const pairs = hashes.split(',').map((pair) => pair.split(':'))
  return new Map(pairs.map(([seq, found = '']) => [Number(seq), found]))
}
