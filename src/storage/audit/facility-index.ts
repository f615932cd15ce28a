import type { Db } from '../database.ts'
import type { Tx } from '../engine.ts'
import { statement } from '../statement.ts'

// The index of audit entries by facility is a table that a background job extends, since a database index would make
// every write change one more page. Entries up to `up_to`, which never exceeds the stable offset, are in the table;
// queries search the log itself for later ones.

export const indexedUpTo = 'coalesce((select up_to from audit_placed where the_only = 1), 0)'

const init = statement('insert into audit_placed (the_only, up_to) values (1, 0) on conflict do nothing')
const current = statement<{ upTo: number }>('select up_to as "upTo" from audit_placed where the_only = 1')
const batchEnd = statement<{ seq: number | null; count: number }>(`
  select max(seq) as seq, count(*) as count from (
    select seq from audit_entry where seq > $1 and seq <= $2 order by seq limit $3) next`)
const insert = statement(`
  insert into audit_place (facility, at, seq)
  select facility, at, seq from audit_entry where seq > $1 and seq <= $2 and facility is not null
  order by facility, at, seq on conflict do nothing`)
const advance = statement('update audit_placed set up_to = $1 where the_only = 1')

export async function indexedOffset({ ask }: Pick<Db, 'ask'>): Promise<number> {
  const [row] = await ask(current)
  return row?.upTo ?? 0
}

/** Adds a batch of entries to the index. Returns its size, including entries that are about no facility. */
export async function indexEntries(tx: Tx, upTo: number, limit: number): Promise<number> {
  await tx.rows(init)
  const [from] = await tx.lockedRows(current)
  const [next] = await tx.rows(batchEnd, from?.upTo ?? 0, upTo, limit)
  if (next === undefined || next.seq === null) return 0
  await tx.rows(insert, from?.upTo ?? 0, next.seq)
  await tx.rows(advance, next.seq)
  return next.count
}
