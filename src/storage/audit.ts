import type { AuditEntry } from '../domain/audit.ts'
import { insertInRuns } from './bulk.ts'
import type { Tx } from './engine.ts'
import { statement } from './statement.ts'

const insert = statement(`insert into audit_entry
  (at, actor_kind, actor, token, request_id, address, action, facility, partner, subject, detail)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`)

/**
 * Writes the change down in its own transaction. It is also what tells every node that something it remembers is no
 * longer true: a change without an entry would not be seen.
 */
export function recordAudit(tx: Tx, entry: AuditEntry): void {
  const { actor, at, action, facility, partner, subject, detail } = entry
  const { kind, name, token, requestId, address } = actor
  tx.post(insert, at, kind, name, token, requestId, address, action, facility, partner, subject, JSON.stringify(detail))
}

export async function recordAudits(tx: Tx, entries: AuditEntry[]): Promise<void> {
  const rows = entries.map(({ actor, at, action, facility, partner, subject, detail }) => ({
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
  }))
  await insertInRuns(tx, rows, (run) => tx.query.insertInto('audit_entry').values(run))
}
