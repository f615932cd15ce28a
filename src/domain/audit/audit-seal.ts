import { hash } from 'node:crypto'

/** An entry of the audit log as it is kept. */
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

/** One link of the chain: what the entries after the previous seal were, up to `last`. */
export interface Seal {
  number: number
  first: number
  last: number
  count: number
  /** The number and the hash of each entry, as `seq:hash`, with commas between. */
  hashes: string
  /** The hash of the seal before; nothing before the first. */
  previous: string
  sealedAt: string
  hash: string
}

/** What the first seal follows. */
export const noSeal: Pick<Seal, 'number' | 'last' | 'hash'> = { number: 0, last: 0, hash: '' }

/** As a JSON array, in which no two different lists of columns read alike. */
export function entryHash(entry: StoredEntry): string {
  const { seq, at, actor_kind, actor, token, request_id, address } = entry
  const { action, facility, partner, subject, detail } = entry
  const who = [actor_kind, actor, token, request_id, address]
  return hash('sha256', JSON.stringify([seq, at, ...who, action, facility, partner, subject, detail]), 'base64url')
}

export function sealHash({ number, first, last, count, hashes, previous, sealedAt }: Omit<Seal, 'hash'>): string {
  return hash('sha256', JSON.stringify([number, first, last, count, hashes, previous, sealedAt]), 'hex')
}

/** The seal of these entries, which are in order, are not empty and come after all that were sealed before. */
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

/** The hash of each entry by its number, as the seal has it. */
export function sealedHashes({ hashes }: Pick<Seal, 'hashes'>): Map<number, string> {
  const pairs = hashes.split(',').map((pair) => pair.split(':'))
  return new Map(pairs.map(([seq, found = '']) => [Number(seq), found]))
}
