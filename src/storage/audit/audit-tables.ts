import type { Generated } from 'kysely'

export interface AuditTables {
  audit_entry: AuditEntryTable
  /** The index of entries by facility. */
  audit_place: { facility: string; at: string; seq: number }
  /** A table of one row: the number up to which entries are in `audit_place`. */
  audit_placed: { the_only: number; up_to: number }
  /** A table of one row: the seal up to which entries were removed, and the last entry up to the one before it. */
  audit_root: { the_only: number; number: number; last_seq: number; before_seq: number }
  audit_seal: AuditSealTable
  /** Long values of details, which entries refer to by SHA-256. */
  audit_value: { hash: string; value: string; used_after: number }
}

/** Append-only. `seq` orders the entries, with gaps where a transaction was rolled back. */
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

/** A hash chain over the audit log: each row covers the entries since the previous row and includes its hash. */
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
