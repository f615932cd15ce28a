/** Where a partner's events are sent. It is a place in the order of all events: those after it are still to be sent. */
export interface Webhook {
  id: string
  partner: string
  url: string
  /** Those that it wants. */
  types: string[] | '*'
  /** Whether it wants what the partner itself did. */
  own: boolean
  dateCreated: string
  dateUpdated: string
  /** Failures in a row. */
  failures: number
  failingSince: string | null
  /** Before then nothing is sent. */
  nextAt: string
  disabledAt: string | null
  disabledReason: DisabledReason | null
}

/** `switched_off` by somebody, `gone` by what the receiver answered, `failed` after long failure. */
export type DisabledReason = 'switched_off' | 'gone' | 'failed'

export type WebhookState = 'active' | 'failing' | 'disabled'

export function stateOf({ disabledAt, failingSince }: Webhook): WebhookState {
  if (disabledAt !== null) return 'disabled'
  return failingSince === null ? 'active' : 'failing'
}

/** One attempt to send something. */
export interface Delivery {
  event: string
  type: string
  attempt: number
  at: string
  status: number | null
  durationMs: number
  /** In our own words; null when it was accepted. */
  error: string | null
  /** The beginning of the response body; kept of the last attempt alone, and only where that failed. */
  response: string | null
}

/** What is sent, and where. */
export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** What became of it. `status` is null where nothing was answered. */
export interface DeliveryResult {
  status: number | null
  durationMs: number
  error: string | null
  /** The beginning of the response body, as text, where it was not accepted. */
  response: string | null
  retryAfterSeconds: number | undefined
}

/** Sends one parcel. It throws nothing: whatever goes wrong is in the receipt. */
export type SendWebhook = (
  parcel: WebhookRequest,
  options: { timeoutMs: number; signal?: AbortSignal },
) => Promise<DeliveryResult>

/** Whether this endpoint wants such an event. */
export function isSubscribedTo({ types }: Pick<Webhook, 'types'>, type: string): boolean {
  return types === '*' || types.includes(type)
}
