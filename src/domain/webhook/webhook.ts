/**
 * A subscription of a partner to events, which are sent to its URL. The database also holds its cursor in the audit
 * log.
 */
export interface Webhook {
  id: string
  partner: string
  url: string
  /** The event types that the webhook receives. */
  types: string[] | '*'
  /** Whether the webhook also receives events about changes that the partner itself made. */
  own: boolean
  dateCreated: string
  dateUpdated: string
  /** The number of consecutive failed attempts. */
  failures: number
  failingSince: string | null
  /** The time of the next attempt. */
  nextAt: string
  disabledAt: string | null
  disabledReason: DisabledReason | null
}

/** `switched_off` by the partner or an operator, `gone` because the receiver responded 410, `failed` after three days. */
export type DisabledReason = 'switched_off' | 'gone' | 'failed'

export type WebhookState = 'active' | 'failing' | 'disabled'

export function stateOf({ disabledAt, failingSince }: Webhook): WebhookState {
  if (disabledAt !== null) return 'disabled'
  return failingSince === null ? 'active' : 'failing'
}

/** A logged attempt to send an event. */
export interface Delivery {
  event: string
  type: string
  attempt: number
  at: string
  status: number | null
  durationMs: number
  /** A description of the failure; null when the receiver accepted the event. */
  error: string | null
  /** The beginning of the response body of a failed attempt; stored only for the last one. */
  response: string | null
}

/** A signed HTTP request to a webhook. */
export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** The result of one attempt. `status` is null when there was no response. */
export interface DeliveryResult {
  status: number | null
  durationMs: number
  error: string | null
  /** The beginning of the response body if the event was not accepted. */
  response: string | null
  retryAfterSeconds: number | undefined
}

/** Sends a request. Never rejects: failures are reported in the result. */
export type SendWebhook = (
  request: WebhookRequest,
  options: { timeoutMs: number; signal?: AbortSignal },
) => Promise<DeliveryResult>

/** Returns whether a webhook receives events of this type. */
export function isSubscribedTo({ types }: Pick<Webhook, 'types'>, type: string): boolean {
  return types === '*' || types.includes(type)
}
