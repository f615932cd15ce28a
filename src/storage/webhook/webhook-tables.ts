import type { Generated } from 'kysely'

/**
 * `place` is the webhook's cursor: the number of the last audit entry whose event was sent or skipped. During a replay,
 * the events numbered after `replay_after`, up to `replay_until`, are sent again before new ones.
 */
export interface WebhookTable {
  id: string
  partner_id: string
  url: string
  types: string
  own: number
  secret: string
  /**
   * The previous signing secret. Until `old_secret_ends_at`, deliveries are signed with both the current and this
   * secret.
   */
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
  /** The body of the receiver's response, truncated; null for all attempts except a webhook's newest. */
  response: string | null
}
