import type { Db } from '../database.ts'
import type { Tx } from '../engine.ts'
import { statement } from '../statement.ts'

/** Up to which number the entries of the audit log have their places. */
export const indexedUpTo = 'coalesce((select up_to from audit_placed where the_only = 1), 0)'

const begin = statement('insert into audit_placed (the_only, up_to) values (1, 0) on conflict do nothing')
const reached = statement<{ upTo: number }>('select up_to as "upTo" from audit_placed where the_only = 1')
const last = statement<{ seq: number | null; count: number }>(`
  select max(seq) as seq, count(*) as count from (
    select seq from audit_entry where seq > $1 and seq <= $2 order by seq limit $3) next`)
const place = statement(`
  insert into audit_place (facility, at, seq)
  select facility, at, seq from audit_entry where seq > $1 and seq <= $2 and facility is not null
  order by facility, at, seq on conflict do nothing`)
const reach = statement('update audit_placed set up_to = $1 where the_only = 1')

/** Where the next begin. */
export async function indexedOffset({ ask }: Pick<Db, 'ask'>): Promise<number> {
  const [row] = await ask(reached)
  return row?.upTo ?? 0
}

/** Gives some of the entries that have none their places, in the order of the places; says how many they were. */
export async function indexEntries(tx: Tx, upTo: number, atMost: number): Promise<number> {
  await tx.rows(begin)
  const [from] = await tx.lockedRows(reached)
  const [next] = await tx.rows(last, from?.upTo ?? 0, upTo, atMost)
  if (next === undefined || next.seq === null) return 0
  await tx.rows(place, from?.upTo ?? 0, next.seq)
  await tx.rows(reach, next.seq)
  return next.count
}
