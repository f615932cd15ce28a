import { setImmediate as breath } from 'node:timers/promises'
import type { AuditEntry } from '../../domain/audit/audit.ts'
import { takeLongValues } from '../../domain/audit/audit-detail.ts'
import type { BatchTx, Tx } from '../engine.ts'
import { insertRows } from '../estate/whole-tables.ts'
import { statement } from '../statement.ts'

const insert = statement(`insert into audit_entry
  (at, actor_kind, actor, token, request_id, address, action, facility, partner, subject, detail)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`)

const insertValue = statement('insert into audit_value (hash, value) values ($1, $2) on conflict (hash) do nothing')

/**
 * Writes the change down in its own transaction. It is also what tells every node that something it remembers is no
 * longer true: a change without an entry would not be seen. It is the last that the transaction does, however long it
 * took until then: from its first entry to its commit the events of all others wait for it. For details that are always
 * short.
 */
export function recordAudit(tx: BatchTx, entry: AuditEntry): void {
  const { actor, at, action, facility, partner, subject, detail } = entry
  const { kind, name, token, requestId, address } = actor
  tx.postLast(
    insert,
    at,
    kind,
    name,
    token,
    requestId,
    address,
    action,
    facility,
    partner,
    subject,
    JSON.stringify(detail),
  )
}

/** The same for details of any length. */
export async function recordAudits(tx: Tx, entries: AuditEntry[]): Promise<void> {
  for (const entry of entries) recordAudit(tx, { ...entry, detail: await storeLongValues(tx, entry.detail) })
}

/** Returns what remains of the detail. */
async function storeLongValues(tx: Tx, detail: object): Promise<object> {
  const values = takeLongValues(detail)
  for (;;) {
    const { done, value } = values.next()
    if (done) return value
    tx.post(insertValue, value.hash, value.value)
    await breath()
  }
}

/** With a number that is chosen, not the next one. */
export async function recordAuditAs(tx: Tx, seq: number, entry: AuditEntry): Promise<void> {
  const row = { seq, ...rowOf(entry) }
  await insertRows(tx, { name: 'audit_entry', columns: Object.keys(row) }, [Object.values(row)])
}

export async function maxAuditOffset(tx: Tx): Promise<number> {
  const { highest } = await tx.query
    .selectFrom('audit_entry')
    .select(({ fn }) => fn.max('seq').as('highest'))
    .executeTakeFirstOrThrow()
  return highest ?? 0
}

const firstSince = statement<{ seq: number }>('select seq from audit_entry where at >= $1 order by at, seq limit 1')
const lastBefore = statement<{ seq: number }>(
  'select seq from audit_entry where at < $1 order by at desc, seq desc limit 1',
)

/** The number of the first entry of that time on; nothing when there is none. */
export async function firstEntrySince(tx: Tx, at: string): Promise<number | undefined> {
  return (await tx.rows(firstSince, at))[0]?.seq
}

export async function lastEntryBefore(tx: Tx, at: string): Promise<number | undefined> {
  return (await tx.rows(lastBefore, at))[0]?.seq
}

function rowOf({ actor, at, action, facility, partner, subject, detail }: AuditEntry) {
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
