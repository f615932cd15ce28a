import type { Generated } from 'kysely'
import type { StoredEntry } from '../domain/audit/audit-seal.ts'

// Dates are stored as ISO 8601 text, structured values as JSON, and booleans as 0 and 1.

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
  /** The earliest time at which a service can start, end or be announced to end soon; null if none will. */
  next_due_at: string | null
  opened_at: string | null
  cycle: string | null
  date_created: string
  date_updated: string
}

/** One row per facility, since an autocomplete list is always read and replaced as a whole. */
export interface AutocompleteListTable {
  facility_id: number
  /** The JSON, as in responses, with full ids. Compressed by `packEntries` when long. */
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
  /** The expiry last announced to the partner. Also set when a lifetime is too short for an announcement. */
  announced_end: string | null
}

/** A sandbox: `id` is also the id of a partner, whose grants cover the copied facilities. */
export interface SandboxTable {
  id: string
  owner_id: string
  /** How many milliseconds the sandbox's clock is ahead of real time. */
  ahead_ms: number
  /** The time to which a request last set the sandbox's clock. Repeating that request changes nothing. */
  set_to: string | null
  date_created: string
  last_reset: string | null
}

export interface SandboxFacilityTable {
  facility_id: number
  sandbox_id: string
  /** The external id of the facility that this one was copied from. That facility may no longer exist. */
  copy_of: string
  /** The initial values of the facility's changeable properties, as JSON. Resetting the sandbox restores them. */
  start: string
}

/**
 * `place` is the webhook's cursor: the number of the last audit entry that was sent or skipped. During a replay, the
 * events above `replay_after`, up to `replay_until`, are sent again before new ones.
 */
export interface WebhookTable {
  id: string
  partner_id: string
  url: string
  types: string
  own: number
  secret: string
  /** The previous secret. Until `old_secret_ends_at`, deliveries are signed with both. */
  old_secret: string | null
  old_secret_ends_at: string | null
  place: number
  replay_after: number | null
  replay_until: number | null
  failures: number
  failing_since: string | null
  next_at: string
  /** The time of the scheduled attempt, while a manual attempt is due before it, at `next_at`; otherwise null. */
  scheduled_at: string | null
  disabled_at: string | null
  disabled_reason: string | null
  /** The node that may send to this webhook until `lease_until`; null when none may. */
  lease_owner: string | null
  lease_until: string
  date_created: string
  date_updated: string
}

/** A log of the attempts to deliver events, without the bodies that were sent. */
export interface WebhookDeliveryTable {
  seq: Generated<number>
  webhook_id: string
  event: string
  type: string
  place: number
  attempt: number
  at: string
  status: number | null
  duration_ms: number
  error: string | null
  /** The body of the receiver's response, truncated; null for all attempts except a webhook's newest. */
  response: string | null
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

/** Entries never change, but the oldest months can be removed. `seq` has gaps where a transaction was rolled back. */
export type AuditEntryTable = Omit<StoredEntry, 'seq'> & { seq: Generated<number> }

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
