import type { Generated } from 'kysely'
import type { AuditTables } from './audit/audit-tables.ts'
import type { SandboxFacilityTable, SandboxTable } from './sandbox-tables.ts'
import type { WebhookDeliveryTable, WebhookTable } from './webhook/webhook-tables.ts'

/** The tables of the database. Dates are stored as ISO 8601 text, structured values as JSON, and booleans as 0 and 1. */
export interface Tables extends AuditTables {
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
  operator: OperatorTable
  operator_session: OperatorSessionTable
  operator_key: OperatorKeyTable
  sign_in_link: { hash: string; operator_id: string; expires_at: string }
  sign_in_state: { hash: string; expires_at: string }
  sign_in_failure: { subject: string; count: number; last_at: string }
  setting: { name: string; value: string }
  request_log: RequestLogTable
  request_count: RequestCountTable
  refusal_count: RefusalCountTable
  counter: { name: string; value: number }
  /** The address of the node that started last. Not in backups: it says nothing about another installation. */
  node_url: { the_only: number; url: string }
  atrium_migration: { name: string; applied_at: string }
  /** Where a migration that runs in batches continues. The table has rows only while such a migration is incomplete. */
  atrium_migration_progress: { name: string; next: string; done: number }
}

type Stored = Exclude<keyof Tables, 'node_url' | 'atrium_migration' | 'atrium_migration_progress'>

/**
 * The tables that a backup contains, with their primary keys. Each table comes after the tables that its foreign keys
 * refer to.
 */
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

export interface FacilityTable {
  id: number
  id_external: string
  name: string
  /** The words of the name in lower case and without accents; searches compare with them. */
  name_words: string
  status: string
  type: string
  ssid_public: string | null
  subscription_url: string | null
  subscribed: number
  timezone: string
  room_services: number
  address: string | null
  devices: string
  date_created: string
  date_updated: string
}

export interface AreaTable {
  id: string
  facility_id: number
  id_short: string
  id_external: string
  sort_key: string
  name: string
  data_general: string
  /** The JSON of the area with its subscriptions, as in responses. The subscriptions are stored nowhere else. */
  json: string
  /** The number of characters of each subscription in `json`, separated by commas. */
  services_lengths: string
  /**
   * No start, end or advance notice of the end of the room's services is due before this time; null when none will be.
   */
  next_due_at: string | null
  opened_at: string | null
  cycle: string | null
  date_created: string
  date_updated: string
}

/** One row per facility, since an autocomplete list is always read and replaced as a whole. */
export interface AutocompleteListTable {
  facility_id: number
  /**
   * The entries as JSON, as in responses, with full ids (`facility-area`). Compressed by `packEntries` when the JSON is
   * long.
   */
  entries: string
  entries_count: number
}

export interface PartnerTable {
  id: string
  name: string
  /** The words of the name in lower case and without accents; searches compare with them. */
  name_words: Generated<string>
  contract: string | null
  rate_limit: string | null
  /** Whether the partner may manage its own webhooks. */
  webhooks: Generated<number>
  /** A number that every change of the partner, its grants or its tokens increments. */
  version: Generated<number>
}

export interface PartnerGrantTable {
  id: string
  partner_id: string
  position: number
  every_facility: number
  read_fields: string
  write_fields: string
  room_operations: string
}

export interface PartnerGrantFacilityTable {
  grant_id: string
  partner_id: string
  facility_id: number
}

export interface TokenTable {
  id: string
  partner_id: string
  name: string
  hash: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  allowed_ranges: string
  /** The id of the token that replaced this one. */
  successor: Generated<string | null>
  /** The time by which a token imported from another system should be replaced; null for a token that Atrium issued. */
  rotate_by: Generated<string | null>
  /**
   * The `expires_at` that an event last announced to the partner. Also set when a new token's lifetime is too short for
   * an announcement.
   */
  announced_end: string | null
}

/** A used Idempotency-Key. `ended` is 1 once the room was opened or closed, which empties the stored response. */
export interface IdempotencyKeyTable {
  partner_id: string
  path: string
  key: string
  area_id: string
  body_hash: string
  answer: string
  etag: string
  ended: number
  created_at: string
}

export interface OperatorTable {
  id: string
  email: string
  name: string
  role: string
  /** The scrypt hash of the password; null for an operator who signs in without one. */
  password: string | null
  created_at: string
  disabled_at: string | null
}

export interface OperatorSessionTable {
  id: string
  operator_id: string
  hash: string
  created_at: string
  last_used_at: string
  expires_at: string
  address: string | null
  agent: string | null
}

export type OperatorKeyTable = Omit<TokenTable, 'partner_id' | 'successor' | 'announced_end'> & { operator_id: string }

/** A logged request of a partner. Its body, query string and secrets are not logged. */
export interface RequestLogTable {
  seq: Generated<number>
  at: string
  partner: string | null
  token: string | null
  method: string
  route: string | null
  facility: string | null
  area: string | null
  status: number
  code: string | null
  detail: string | null
  duration_us: number
  request_id: string
  address: string | null
  rooms_needed: string | null
}

/** The number of a partner's requests in one minute with one response status, summed over all nodes. */
export interface RequestCountTable {
  minute: string
  partner: string
  status: number
  requests: number
  duration_us: number
  slowest_us: number
}

/** The number of a partner's refused requests in one minute with one problem code, summed over all nodes. */
export interface RefusalCountTable {
  minute: string
  partner: string
  code: string
  requests: number
}
