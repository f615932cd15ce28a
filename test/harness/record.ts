import type { AuditEntry } from '../../src/domain/audit/audit.ts'
import { nowIso } from '../../src/domain/time.ts'
import { recordAudit } from '../../src/storage/audit/audit.ts'
import type { Tx } from '../../src/storage/engine.ts'

export function recordAll(tx: Tx, entries: AuditEntry[]): void {
  for (const entry of entries) recordAudit(tx, entry)
}

/** Takes its number now, not at the end of the transaction. */
export async function recordEarly(tx: Tx, entry: AuditEntry): Promise<void> {
  const { actor, detail, at = nowIso(), action, facility = null, partner = null, subject = null } = entry
  const { kind, name, token, requestId, address } = actor
  const about = {
    at,
    action,
    facility,
    partner,
    subject,
    actor_kind: kind,
    actor: name,
    token,
    request_id: requestId,
    address,
  }
  await tx.query
    .insertInto('audit_entry')
    .values({ ...about, detail: JSON.stringify(detail) })
    .execute()
}
