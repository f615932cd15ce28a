import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AuditAction, type AuditEntry, auditActions, type Scope } from '../../domain/audit/audit.ts'
import { storedValuesOf, takeLongValues, wholeDetail } from '../../domain/audit/audit-detail.ts'
import { parseExactly } from '../../domain/exact-json.ts'
import { nowIso } from '../../domain/time.ts'
import type { BatchTx, Engine, Tx } from '../engine.ts'
import { insertRows } from '../estate/whole-tables.ts'
import { statement } from '../statement.ts'

const insert = statement(`insert into audit_entry
  (at, actor_kind, actor, token, request_id, address, action, facility, partner, subject, detail)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`)

/** `used_after` is the newest entry in the log: the entry that uses the value gets a higher number. */
const insertValue = statement(`
  insert into audit_value (hash, value, used_after)
  values ($1, $2, coalesce((select seq from audit_entry where seq > 0 order by seq desc limit 1), 0))
  on conflict (hash) do update set used_after =
    case when excluded.used_after > audit_value.used_after then excluded.used_after else audit_value.used_after end`)

/**
 * Writes an audit entry, which every change needs, since nodes invalidate their caches by it. It is sent right before
 * the commit, because readers of the log wait for the end of its transaction once it has a number. Details of unbounded
 * length need `recordAudits` instead.
 */
export function recordAudit(tx: BatchTx, entry: AuditEntry): void {
  tx.postLast(insert, ...Object.values(rowOf(entry)))
}

/** Writes entries whose details can have any length: long values go to `audit_value`. */
export async function recordAudits(tx: Tx, entries: AuditEntry[]): Promise<void> {
  for (const entry of entries) recordAudit(tx, { ...entry, detail: await storeLongValues(tx, entry.detail) })
}

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

/** Returns the number of the newest visible entry. Open transactions can still commit entries with lower numbers. */
export async function lastOffset({ ask }: Pick<Engine, 'ask'>): Promise<number> {
  const [entry] = await ask(highest)
  return entry?.seq ?? 0
}

const firstSince = statement<{ seq: number }>('select seq from audit_entry where at >= $1 order by at, seq limit 1')
const lastBefore = statement<{ seq: number }>(
  'select seq from audit_entry where at < $1 order by at desc, seq desc limit 1',
)

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
    detail: JSON.stringify(actor.undoes === undefined ? detail : { ...detail, undoes: actor.undoes }),
  }
}

const find = statement<{ value: string }>('select value from audit_value where hash = $1')

export async function findAuditValue(tx: Tx, hash: string): Promise<string | undefined> {
  return (await tx.rows(find, hash))[0]?.value
}

/** Puts long values, which are stored apart, back into a detail. A value missing in the database becomes `{}`. */
export async function loadWholeDetail(tx: Tx, json: string): Promise<Record<string, unknown>> {
  const detail = parseExactly(json) as Record<string, unknown>
  const values: string[] = []
  for (const hash of storedValuesOf(detail)) values.push((await findAuditValue(tx, hash)) ?? '{}')
  return wholeDetail(detail, values)
}

const scopesWithGuests: Scope[] = ['room', 'facility', 'facility_gone']
/** The actions that can remove subscriptions, which contain data about guests. */
const removals = (Object.keys(auditActions) as AuditAction[]).filter(
  (action) => scopesWithGuests.includes(auditActions[action]) && action !== 'services.add',
)

/** The most entries to check. With more, guest data counts as removed: erasing needlessly costs less than reading. */
const maxScanned = 5000

const removed = statement<{ action: string }>(`select action from (
    select action from audit_entry where seq > $1 order by seq limit ${maxScanned}) recent
  where action in (${removals.map((action) => `'${action}'`).join()}) limit 1`)

/** Returns whether guest data may have been removed, whose remains must be erased from the database files. */
export async function isContentRemovedSince({ ask }: Pick<Engine, 'ask'>, seq: number, last: number): Promise<boolean> {
  return last - seq > maxScanned || (await ask(removed, seq)).length > 0
}
