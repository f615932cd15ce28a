import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuditEntry } from '../../domain/audit/audit.ts'
import { takeLongValues } from '../../domain/audit/audit-detail.ts'
import { nowIso } from '../../domain/time.ts'
import type { BatchTx, Engine, Tx } from '../engine.ts'
import { insertRows } from '../estate/whole-tables.ts'
import { statement } from '../statement.ts'

const insert = statement(`insert into audit_entry
  (at, actor_kind, actor, token, request_id, address, action, facility, partner, subject, detail)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`)

/**
 * Inserts a long value of an audit entry. `used_after` is the number of the newest entry already in the log, so the
 * entry that uses the value gets a higher number.
 */
const insertValue = statement(`
  insert into audit_value (hash, value, used_after)
  values ($1, $2, coalesce((select seq from audit_entry where seq > 0 order by seq desc limit 1), 0))
  on conflict (hash) do update set used_after =
    case when excluded.used_after > audit_value.used_after then excluded.used_after else audit_value.used_after end`)

/**
 * Writes an audit entry in the transaction of the change. Every change needs one, since nodes invalidate their caches
 * by it. The entry is sent right before the commit: once it has a number, the delivery of later entries waits for the
 * end of its transaction. Use `recordAudits` for details of unbounded length.
 */
export function recordAudit(tx: BatchTx, entry: AuditEntry): void {
  tx.postLast(insert, ...Object.values(rowOf(entry)))
}

/** Writes audit entries whose details can have any length. Long values are stored in the table `audit_value`. */
export async function recordAudits(tx: Tx, entries: AuditEntry[]): Promise<void> {
  for (const entry of entries) recordAudit(tx, { ...entry, detail: await storeLongValues(tx, entry.detail) })
}

/** Stores the long values of a detail in `audit_value`. Returns the detail with hashes instead of these values. */
async function storeLongValues(tx: Tx, detail: object): Promise<object> {
  const values = takeLongValues(detail)
  for (;;) {
    const { done, value } = values.next()
    if (done) return value
    tx.post(insertValue, value.hash, value.value)
    await nextTurn()
  }
}

/** Writes an audit entry with the given number. Entries of `recordAudit` instead get the next free number. */
export async function recordAuditAs(tx: Tx, seq: number, entry: AuditEntry): Promise<void> {
  const row = { seq, ...rowOf(entry) }
  await insertRows(tx, { name: 'audit_entry', columns: Object.keys(row) }, [Object.values(row)])
}

const highest = statement<{ seq: number }>('select seq from audit_entry where seq > 0 order by seq desc limit 1')

/**
 * Returns the number of the newest visible entry, or 0 when the log is empty. Open transactions can still commit
 * entries with lower numbers.
 */
export async function lastOffset({ ask }: Pick<Engine, 'ask'>): Promise<number> {
  const [entry] = await ask(highest)
  return entry?.seq ?? 0
}

const firstSince = statement<{ seq: number }>('select seq from audit_entry where at >= $1 order by at, seq limit 1')
const lastBefore = statement<{ seq: number }>(
  'select seq from audit_entry where at < $1 order by at desc, seq desc limit 1',
)

/** Returns the number of the first entry at or after a time, or undefined when there is none. */
export async function firstEntrySince(tx: Tx, at: string): Promise<number | undefined> {
  return (await tx.rows(firstSince, at))[0]?.seq
}

export async function lastEntryBefore(tx: Tx, at: string): Promise<number | undefined> {
  return (await tx.rows(lastBefore, at))[0]?.seq
}

function rowOf(entry: AuditEntry) {
  const { actor, at = nowIso(), action, facility = null, partner = null, subject = null, detail } = entry
  return {
    at,
    actor_kind: actor.kind,
    actor: actor.name,
    token: actor.token,
    request_id: actor.requestId,
    address: actor.address,
    action,
    facility,
    partner,
    subject,
    detail: JSON.stringify(detail),
  }
}
