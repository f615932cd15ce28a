import type { Generated } from 'kysely'
import type { StoredEntry } from '../../domain/audit/audit-seal.ts'

export interface AuditTables {
  audit_entry: AuditEntryTable
  /** The index of the audit log by facility, for searches. A background job fills it. */
  audit_place: { facility: string; at: string; seq: number }
  /**
   * A table of one row: the number of the audit entry up to which `audit_place`, the index by facility, is complete.
   */
  audit_placed: { the_only: number; up_to: number }
  /**
   * The root, up to which entries were removed, in a table of one row. `number`: the seal (link of the hash chain) that
   * is the root; `last_seq`: the last entry that it covers; `before_seq`: the last entry that the previous root covers.
   */
  audit_root: { the_only: number; number: number; last_seq: number; before_seq: number }
  audit_seal: AuditSealTable
  /**
   * Long values from the `detail` column of audit entries, which holds their SHA-256 instead. `used_after` is the
   * number of the newest entry in the log at the time when the value was last used.
   */
  audit_value: { hash: string; value: string; used_after: number }
}

/**
 * The audit log. Entries are never changed, but its oldest months can be removed. `seq` numbers the entries in order,
 * with gaps where a transaction was rolled back.
 */
type AuditEntryTable = Omit<StoredEntry, 'seq'> & { seq: Generated<number> }

/**
 * A hash chain over the audit log: each seal covers the entries since the previous seal, and includes that seal's hash.
 */
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
