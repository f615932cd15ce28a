import type { CallOptions, ChangeOptions } from './calls.ts'
import type { EventType } from './events.ts'
import type { ListOptions } from './facilities.ts'
import { Pages } from './pages.ts'
import { webhookPath } from './path.ts'
import { isLateRefusal } from './problem.ts'
import { query } from './query.ts'
import { Resource } from './resource.ts'
import type * as schema from './schema.ts'

export interface WebhookDraft {
  /** The HTTPS address to which events are sent. */
  url: string
  /** The event types to send, or `*` for all. */
  types: EventType[] | '*'
  /** Whether to send events about changes by this partner itself too. */
  own?: boolean
  /** `false` disables the webhook, `true` enables it again. */
  active?: boolean
}

/** One event, a range of events, or a range of time. */
export type Replay = { event: string } | { from_event: string; to_event?: string } | { from: string; to?: string }

export interface PingResult {
  delivered: boolean
  status: number | null
  duration_ms: number
  error: string | null
}

/** Methods for webhooks; they need the right `webhooks`. */
export class Webhooks extends Resource {
  list(options?: CallOptions): Promise<schema.Webhook[]> {
    return this.calls.body({ method: 'GET', path: '/webhooks', options, isIdempotent: true })
  }

  async get(webhook: string, options?: CallOptions): Promise<schema.Webhook> {
    return this.calls.body({ method: 'GET', path: webhookPath(webhook), options, isIdempotent: true })
  }

  /** Creates a webhook whose receiver accepts a ping. The secret is only in this response, so it is not retried. */
  create(webhook: WebhookDraft, options?: CallOptions): Promise<schema.IssuedWebhook> {
    return this.calls.body({ method: 'POST', path: '/webhooks', body: webhook, options, isIdempotent: false })
  }

  async change(webhook: string, change: Partial<WebhookDraft>, options?: ChangeOptions): Promise<schema.Webhook> {
    const call = { path: webhookPath(webhook), body: change, options, isIdempotent: true }
    return this.calls.body({ method: 'PATCH', ...call })
  }

  /** Succeeds if a retry finds no webhook, because the attempt before has removed it. */
  async delete(webhook: string, options?: ChangeOptions): Promise<void> {
    const call = { path: webhookPath(webhook), options, isIdempotent: true }
    await this.calls.body({ method: 'DELETE', ...call }).catch((problem: unknown) => {
      if (!isLateRefusal(problem, 'webhook_not_found')) throw problem
    })
  }

  /** Sends a test message and returns what came of it. */
  async ping(webhook: string, options?: CallOptions): Promise<PingResult> {
    return this.calls.body({ method: 'POST', path: `${webhookPath(webhook)}/ping`, options, isIdempotent: false })
  }

  /** Makes a new secret; messages are also signed with the old one for the grace time. */
  async rotate(
    webhook: string,
    { grace_seconds }: { grace_seconds?: number } = {},
    options?: CallOptions,
  ): Promise<schema.IssuedWebhook> {
    const call = { path: `${webhookPath(webhook)}/rotate`, body: { grace_seconds }, options, isIdempotent: false }
    return this.calls.body({ method: 'POST', ...call })
  }

  /** Lists the latest attempts, newest first. */
  deliveries(webhook: string, options: ListOptions = {}): Pages<schema.WebhookDelivery> {
    const path = `${webhookPath(webhook)}/deliveries${query({ ...options })}`
    return new Pages(this.calls, path, options, (all) => all)
  }

  /** Sends events once more. */
  async replay(webhook: string, events: Replay, options?: CallOptions): Promise<schema.Webhook> {
    const call = { path: `${webhookPath(webhook)}/replay`, body: events, options, isIdempotent: false }
    return this.calls.body({ method: 'POST', ...call })
  }
}
