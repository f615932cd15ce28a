import type { Generated } from 'kysely'

export interface AuditTables {
  audit_entry: AuditEntryTable
  /** Which entries are about a facility. */
  audit_place: { facility: string; at: string; seq: number }
  audit_placed: { the_only: number; up_to: number }
  audit_seal: AuditSealTable
  /** Long values of entries, by the SHA-256 that the entries name. */
  audit_value: { hash: string; value: string }
}

/** Appended to and never changed; `seq` gives an order, with gaps where a transaction was taken back. */
interface AuditEntryTable {
  seq: Generated<number>
  at: string
  actor_kind: string
  actor: string
  token: string | null
  request_id: string | null
  address: string | null
  action: string
  facility: string | null
  partner: string | null
  subject: string | null
  detail: string
}

/** The chain over the audit log: each row covers the entries after the row before it, and has its hash. */
interface AuditSealTable {
  number: number
  first_seq: number
  last_seq: number
  entries_count: number
  hashes: string
  previous: string
  sealed_at: string
  hash: string
}
