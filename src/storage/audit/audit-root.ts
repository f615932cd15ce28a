import type { Seal } from '../../domain/audit/audit-seal.ts'
import type { Engine, Tx } from '../engine.ts'
import { statement } from '../statement.ts'

// The root is the oldest seal (hash over entries) that is kept. A removal of old entries first moves the root, in one
// transaction, and then deletes the rows before it in batches. So an interrupted removal has already taken effect, and
// the next run deletes the remaining rows.

export type AuditRoot = Pick<Seal, 'number' | 'last'>

const noRoot: AuditRoot = { number: 0, last: 0 }

const root = statement<AuditRoot>('select number, last_seq as "last" from audit_root where the_only = 1')

export async function findRoot({ ask }: Pick<Engine, 'ask'>): Promise<AuditRoot> {
  const [found] = await ask(root)
  return found ?? noRoot
}

const move = statement<{ number: number }>(`
  insert into audit_root (the_only, number, last_seq, before_seq)
  values (1, cast($2 as bigint), cast($3 as bigint), 0)
  on conflict (the_only) do update
    set number = excluded.number, last_seq = excluded.last_seq, before_seq = audit_root.last_seq
    where audit_root.number = $1
  returning number`)

/** Returns false when another node has moved the root (the oldest seal that is kept) meanwhile. */
export async function moveRoot(tx: Tx, from: AuditRoot, to: AuditRoot): Promise<boolean> {
  return (await tx.rows(move, from.number, to.number, to.last)).length === 1
}

const batchEnd = statement<{ last: number | null }>(`
  select max(seq) as last from (
    select seq from audit_entry where seq > $1 and seq <= (select last_seq from audit_root where the_only = 1)
    order by seq limit $2) batch`)
const deletePlaces = statement(`
  delete from audit_place where (facility, at, seq) in (
    select facility, at, seq from audit_entry where seq > $1 and seq <= $2 and facility is not null)`)
const deleteEntries = statement('delete from audit_entry where seq > $1 and seq <= $2')

/**
 * Deletes a batch of the entries that the root (the oldest seal that is kept) and the seals before it cover. Returns
 * the last deleted number, which the caller passes as the next `after`: the search then skips deleted rows, which the
 * index of a database server still lists for a while.
 */
export async function deleteEntriesBatch(tx: Tx, after: number, limit: number): Promise<number | undefined> {
  const [batch] = await tx.rows(batchEnd, after, limit)
  const last = batch?.last ?? undefined
  if (last === undefined) return undefined
  await tx.rows(deletePlaces, after, last)
  await tx.rows(deleteEntries, after, last)
  return last
}

const sealsEnd = statement<{ last: number | null }>(`
  select max(number) as last from (
    select number from audit_seal where number > $1 and number < (select number from audit_root where the_only = 1)
    order by number limit $2) batch`)
const deleteSeals = statement('delete from audit_seal where number > $1 and number <= $2')

/** Like `deleteEntriesBatch`, but deletes the seals before the root. The root itself starts the hash chain. */
export async function deleteSealsBatch(tx: Tx, after: number, limit: number): Promise<number | undefined> {
  const [batch] = await tx.rows(sealsEnd, after, limit)
  const last = batch?.last ?? undefined
  if (last !== undefined) await tx.rows(deleteSeals, after, last)
  return last
}

/**
 * Matches long values that were last used before the previous root, which is about a month older than the root. This
 * margin is needed because a transaction stores a value before its entry gets a number, and may stay open for long in
 * between.
 */
const isUnused = 'used_after < coalesce((select before_seq from audit_root where the_only = 1), 0)'
const findUnused = statement<{ hash: string }>(`select hash from audit_value where ${isUnused} limit 1`)
// Repeats `isUnused`: another transaction may use a value again while this statement waits for the lock on its row.
const deleteUnused = statement(`
  delete from audit_value where ${isUnused} and hash in (select hash from audit_value where ${isUnused} limit $1)`)

/** Deletes a batch of the long values that no entry uses any more. Returns whether there may be more to delete. */
export async function deleteValuesBatch(tx: Tx, limit: number): Promise<boolean> {
  if ((await tx.rows(findUnused)).length === 0) return false
  await tx.rows(deleteUnused, limit)
  return true
}
