import { noSeal, type Seal, type StoredEntry } from '../../domain/audit/audit-seal.ts'
import type { Engine, Tx } from '../engine.ts'
import { statement } from '../statement.ts'

const sealColumns = `number, first_seq as "first", last_seq as "last", entries_count as "count", hashes, previous,
  sealed_at as "sealedAt", hash`
const entryColumns = `seq, at, actor_kind, actor, token, request_id, address, action, facility, partner, subject, detail`

const newest = statement<Pick<Seal, 'number' | 'last' | 'hash'>>(
  `select number, last_seq as "last", hash from audit_seal where number > 0 order by number desc limit 1`,
)

export async function lastSeal({ ask }: Pick<Engine, 'ask'>): Promise<Pick<Seal, 'number' | 'last' | 'hash'>> {
  const [seal] = await ask(newest)
  return seal ?? noSeal
}

const next = statement<Seal>(`select ${sealColumns} from audit_seal where number > $1 order by number limit 1`)

export async function sealAfterNumber(tx: Tx, number: number): Promise<Seal | undefined> {
  const [seal] = await tx.rows(next, number)
  return seal
}

const one = statement<Seal>(`select ${sealColumns} from audit_seal where number = $1`)

export async function findSeal(tx: Tx, number: number): Promise<Seal | undefined> {
  const [seal] = await tx.rows(one, number)
  return seal
}

const between = statement<StoredEntry>(
  `select ${entryColumns} from audit_entry where seq > $1 and seq <= $2 order by seq limit $3`,
)

export async function entriesBetween(
  { ask }: Pick<Engine, 'ask'>,
  after: number,
  upTo: number,
  limit: number,
): Promise<StoredEntry[]> {
  return ask(between, after, upTo, limit)
}

const firstAfter = statement<{ seq: number }>('select seq from audit_entry where seq > $1 order by seq limit 1')

export async function isEntryAfter({ ask }: Pick<Engine, 'ask'>, seq: number): Promise<boolean> {
  return (await ask(firstAfter, seq)).length > 0
}

const countAfter = statement<{ count: number }>('select count(*) as count from audit_entry where seq > $1')

export async function countEntriesAfter({ ask }: Pick<Engine, 'ask'>, seq: number): Promise<number> {
  const [row] = await ask(countAfter, seq)
  return row?.count ?? 0
}

const insert = statement<{ number: number }>(`
  insert into audit_seal (number, first_seq, last_seq, entries_count, hashes, previous, sealed_at, hash)
  select cast($1 as bigint), cast($2 as bigint), cast($3 as bigint), cast($4 as bigint), $5, $6, $7, $8
  where $6 = coalesce((select hash from audit_seal where number > 0 order by number desc limit 1), '')
  on conflict (number) do nothing returning number`)

/** Adds a seal (hash over entries). Returns false when another node has added one with its number or predecessor. */
export async function addSeal(tx: Tx, seal: Seal): Promise<boolean> {
  const { number, first, last, count, hashes, previous, sealedAt, hash } = seal
  const added = await tx.rows(insert, number, first, last, count, hashes, previous, sealedAt, hash)
  return added.length === 1
}
