import type { Generated } from 'kysely'

/**
 * `place` is the cursor: the number of the last audit entry whose event was sent or skipped. A replay sends the events
 * after `replay_after`, up to `replay_until`, again before new ones.
 */
export interface WebhookTable {
  id: string
  partner_id: string
  url: string
  types: string
  own: number
  secret: string
  /** The previous secret. Deliveries are signed with both secrets until `old_secret_ends_at`. */
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
  /** The truncated body of the receiver's response; null except for a webhook's last attempt. */
  response: string | null
}
