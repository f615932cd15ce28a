import type { Generated } from 'kysely'

/** Places are numbers of the journal; `replay_after` to `replay_until` is sent again before anything else. */
export interface WebhookTable {
  id: string
  partner_id: string
  url: string
  types: string
  own: number
  secret: string
  /** Signs too until then. */
  old_secret: string | null
  old_secret_ends_at: string | null
  place: number
  replay_after: number | null
  replay_until: number | null
  failures: number
  failing_since: string | null
  next_at: string
  disabled_at: string | null
  disabled_reason: string | null
  /** Who sends for it now, and until when nobody else does. */
  lease_owner: string | null
  lease_until: string
  date_created: string
  date_updated: string
}

/** The log of what was sent, without what it said. */
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
  /** The body of the response to the last attempt of a webhook, cut; null for all others. */
  response: string | null
}
