import type {
  AreaTable,
  AuditEntryTable,
  AutocompleteListTable,
  FacilityTable,
  IdempotencyKeyTable,
  OperatorKeyTable,
  OperatorSessionTable,
  OperatorTable,
  PartnerGrantFacilityTable,
  PartnerGrantTable,
  PartnerTable,
  RequestCountTable,
  RequestLogTable,
  SandboxFacilityTable,
  SandboxTable,
  TokenTable,
  WebhookDeliveryTable,
  WebhookTable,
} from './table-rows.ts'

/** The columns by table. Tables that only prepared statements query list nothing but their primary key. */
export interface Tables {
  facility: FacilityTable
  area: AreaTable
  autocomplete_list: AutocompleteListTable
  partner: PartnerTable
  partner_grant: PartnerGrantTable
  partner_grant_facility: PartnerGrantFacilityTable
  sandbox: SandboxTable
  sandbox_facility: SandboxFacilityTable
  token: TokenTable
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  idempotency_key: IdempotencyKeyTable
  audit_entry: AuditEntryTable
  /** The index of the audit log by facility, for searches. A background job fills it. */
  audit_place: { facility: string; at: string; seq: number }
  /** A table of one row: the number of the audit entry up to which `audit_place` is complete. */
  audit_placed: { the_only: number }
  audit_root: { the_only: number }
  audit_seal: { number: number }
  /** Long values from the `detail` column of audit entries, which holds their SHA-256 instead. */
  audit_value: { hash: string }
  operator: OperatorTable
  operator_session: OperatorSessionTable
  operator_key: OperatorKeyTable
  sign_in_link: { hash: string; operator_id: string; expires_at: string }
  sign_in_state: { hash: string; expires_at: string }
  sign_in_failure: { subject: string; count: number; last_at: string }
  setting: { name: string; value: string }
  request_log: RequestLogTable
  request_count: RequestCountTable
  /** The number of a partner's refused requests in one minute with one problem code, summed over all nodes. */
  refusal_count: { minute: string; partner: string; code: string }
  counter: { name: string; value: number }
  /** The address of the node that started last. Not in backups: it says nothing about another installation. */
  node_url: { the_only: number }
  atrium_migration: { name: string; applied_at: string }
  /** Where a migration that runs in batches continues. The table has rows only while such a migration is incomplete. */
  atrium_migration_progress: { name: string; next: string; done: number }
}

type Stored = Exclude<keyof Tables, 'node_url' | 'atrium_migration' | 'atrium_migration_progress'>

/** The tables of a backup, with their primary keys, each after the tables that its foreign keys refer to. */
export const storedTables = {
  facility: ['id'],
  area: ['id'],
  autocomplete_list: ['facility_id'],
  partner: ['id'],
  partner_grant: ['id'],
  partner_grant_facility: ['partner_id', 'facility_id', 'grant_id'],
  sandbox: ['id'],
  sandbox_facility: ['facility_id'],
  token: ['id'],
  webhook: ['id'],
  webhook_delivery: ['seq'],
  idempotency_key: ['partner_id', 'path', 'key'],
  audit_entry: ['seq'],
  audit_place: ['facility', 'at', 'seq'],
  audit_placed: ['the_only'],
  audit_root: ['the_only'],
  audit_seal: ['number'],
  audit_value: ['hash'],
  operator: ['id'],
  operator_session: ['id'],
  operator_key: ['id'],
  sign_in_link: ['hash'],
  sign_in_state: ['hash'],
  sign_in_failure: ['subject'],
  setting: ['name'],
  request_log: ['seq'],
  request_count: ['minute', 'partner', 'status'],
  refusal_count: ['minute', 'partner', 'code'],
  counter: ['name'],
} as const satisfies { [Name in Stored]: readonly (keyof Tables[Name])[] }
