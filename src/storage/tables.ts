import type { Generated } from 'kysely'
import type { AuditTables } from './audit/audit-tables.ts'
import type { SandboxFacilityTable, SandboxTable } from './sandbox-tables.ts'
import type { WebhookDeliveryTable, WebhookTable } from './webhook/webhook-tables.ts'

/** The rows as both engines store them: text, whole numbers, dates as ISO text, JSON as text, booleans as 0 and 1. */
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
  atrium_migration: { name: string; applied_at: string }
}

type Stored = Exclude<keyof Tables, 'atrium_migration'>

/** All that a backup holds: each table after those that its rows refer to, with the key that they are read by. */
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
  /** The words of the name as they are searched. */
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
  /** The area with its subscriptions, as it is answered; the only place where they are. */
  json: string
  /** Of each of them in it, between commas. */
  services_lengths: string
  /** When something of its subscriptions is due next: a start, an end, or some time before one. */
  next_due_at: string | null
  opened_at: string | null
  cycle: string | null
  date_created: string
  date_updated: string
}

/** The list is replaced whole and read whole, so it is one row. */
export interface AutocompleteListTable {
  facility_id: number
  /** As it is answered, with full ids. */
  entries: string
  entries_count: number
}

export interface PartnerTable {
  id: string
  name: string
  /** The words of the name as they are searched. */
  name_words: Generated<string>
  contract: string | null
  rate_limit: string | null
  /** Whether it keeps its own webhooks. */
  webhooks: Generated<number>
  /** Counts the changes of the partner, its grants and its tokens. */
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
  /** The token that replaced it. */
  successor: Generated<string | null>
}

/** `ended` is 1 once the room was opened or closed: the answer and the body's hash are gone by then. */
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
  /** Its scrypt hash; none for those who sign in another way. */
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

export type OperatorKeyTable = Omit<TokenTable, 'partner_id' | 'successor'> & { operator_id: string }

/** One request of a partner that was answered: no body, no query, no secret. */
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
}

/** How many requests a partner made in a minute, by status, over all nodes. */
export interface RequestCountTable {
  minute: string
  partner: string
  status: number
  requests: number
  duration_us: number
  slowest_us: number
}

/** How many requests of a partner were refused in a minute, by reason, over all nodes. */
export interface RefusalCountTable {
  minute: string
  partner: string
  code: string
  requests: number
}
