import type { Generated } from 'kysely'

/** `place` is the cursor, an event offset. Events from `replay_after` to `replay_until` are sent again first. */
export interface WebhookTable {
  id: string
  partner_id: string
  url: string
  types: string
  own: number
  secret: string
  /** The previous secret, with which deliveries are also signed until `old_secret_ends_at`. */
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
  /** The node that holds the lease on the webhook, and so sends to it, until `lease_until`. */
  lease_owner: string | null
  lease_until: string
  date_created: string
  date_updated: string
}

/** The delivery log, without the bodies that were sent. */
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
  /** The truncated body of the receiver's response, of the last attempt of a webhook only. */
  response: string | null
}
