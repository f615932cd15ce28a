/** A URL of a partner to which events are sent. */
export interface Webhook {
  id: string
  partner: string
  url: string
  types: string[] | '*'
  /** Whether the webhook receives events about changes that the partner made itself. */
  own: boolean
  dateCreated: string
  dateUpdated: string
  /** The number of consecutive failed attempts. */
  failures: number
  failingSince: string | null
  /** The time of the next attempt to send events. */
  nextAt: string
  disabledAt: string | null
  disabledReason: DisabledReason | null
}

/** A partner or an operator switched it off, its receiver responded 410, or all attempts failed for three days. */
export type DisabledReason = 'switched_off' | 'gone' | 'failed'

export type WebhookState = 'active' | 'failing' | 'disabled'

export function stateOf({ disabledAt, failingSince }: Webhook): WebhookState {
  if (disabledAt !== null) return 'disabled'
  return failingSince === null ? 'active' : 'failing'
}

/** An attempt to send an event, as the log of deliveries shows it. */
export interface Delivery {
  event: string
  type: string
  attempt: number
  at: string
  status: number | null
  durationMs: number
  /** A description of the failure; null when the receiver accepted the event. */
  error: string | null
  /** The beginning of the response body of a failed attempt. Only the most recent attempt of each webhook has it. */
  response: string | null
}

export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** `status` is null when there was no response. */
export interface DeliveryResult {
  status: number | null
  durationMs: number
  error: string | null
  /** The beginning of the response body if the event was not accepted. */
  response: string | null
  retryAfterSeconds: number | undefined
}

/** Sends a request to a webhook. Never rejects: the result describes a failure. */
export type SendWebhook = (
  request: WebhookRequest,
  options: { timeoutMs: number; signal?: AbortSignal },
) => Promise<DeliveryResult>

export function isSubscribedTo({ types }: Pick<Webhook, 'types'>, type: string): boolean {
  return types === '*' || types.includes(type)
}

const minuteSeconds = 60
const hourSeconds = 3600

/** The delay after the first, second, … consecutive failure; after more failures, the last delay is repeated. */
const backoffSeconds = [
  5,
  30,
  2 * minuteSeconds,
  10 * minuteSeconds,
  30 * minuteSeconds,
  hourSeconds,
  3 * hourSeconds,
  6 * hourSeconds,
]

/** How long all attempts of a webhook may fail before it is disabled. */
export const maxFailingSeconds = 3 * 24 * hourSeconds

const maxRetryAfterSeconds = 6 * hourSeconds

/**
 * Returns at least what the receiver requested in Retry-After, up to 6 hours. Up to 20 % of random jitter spreads the
 * retries of webhooks that failed at the same time.
 */
export function retryDelayMs(failures: number, retryAfterSeconds: number | undefined, random = Math.random()): number {
  const planned = backoffSeconds[Math.min(failures, backoffSeconds.length) - 1] ?? 0
  const requested = Math.min(retryAfterSeconds ?? 0, maxRetryAfterSeconds)
  return Math.round(Math.max(planned, requested) * (1 + random / 5) * 1000)
}
