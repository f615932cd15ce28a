import type { DeliveryResult, DisabledReason, WebhookState } from '../../domain/webhook/webhook.ts'

export class WebhookMetrics {
  readonly deliveries = { taken: 0, refused: 0, unanswered: 0 }
  readonly switchedOff = { failed: 0, gone: 0 }
  /** The number of webhooks of the whole installation by state, as of this node's last poll. */
  endpoints: Record<WebhookState, number> = { active: 0, failing: 0, disabled: 0 }
  /** Since when the longest-failing webhook of the installation fails; null if none fails. */
  failingSince: string | null = null
  readonly #observeDuration: (seconds: number) => void
  /** By webhook id, the time at which the event to be sent next happened, in ms since the Unix epoch. */
  readonly #waiting = new Map<string, number>()

  constructor(observeDuration: (seconds: number) => void) {
    this.#observeDuration = observeDuration
  }

  countAttempt({ status, error, durationMs }: DeliveryResult): void {
    this.deliveries[error === null ? 'taken' : status === null ? 'unanswered' : 'refused']++
    this.#observeDuration(durationMs / 1000)
  }

  countDisabled(reason: DisabledReason | null): void {
    if (reason === 'failed' || reason === 'gone') this.switchedOff[reason]++
  }

  setWaiting(webhook: string, sinceIso: string): void {
    this.#waiting.set(webhook, Date.parse(sinceIso))
  }

  clearWaiting(webhook: string): void {
    this.#waiting.delete(webhook)
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** The age of the oldest event to be sent (`active`), and of the longest failure of a webhook (`failing`). */
  get oldestSeconds(): { active: number; failing: number } {
    const failingMs = this.failingSince === null ? Number.POSITIVE_INFINITY : Date.parse(this.failingSince)
    return { active: secondsSince(Math.min(...this.#waiting.values())), failing: secondsSince(failingMs) }
  }
}

function secondsSince(momentMs: number): number {
  return Number.isFinite(momentMs) ? Math.max(0, Date.now() - momentMs) / 1000 : 0
}
