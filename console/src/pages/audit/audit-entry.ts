import type { AuditAction } from '../../../../src/domain/audit.ts'

export interface AuditEntry {
  seq: number
  at: string
  actor: { kind: string; name: string | null; token: string | null; address: string | null }
  request_id: string | null
  action: AuditAction
  facility: string | null
  partner: string | null
  subject: string | null
  detail: unknown
  can_undo: boolean
}

export interface PropertyChange {
  key: string
  before: unknown
  after: unknown
}

export function changesOf({ detail }: AuditEntry): PropertyChange[] {
  const changes = (detail as { changes?: unknown } | null)?.changes
  return Array.isArray(changes) ? changes : []
}
