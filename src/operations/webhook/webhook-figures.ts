import type { DeliveryResult, DisabledReason, WebhookState } from '../../domain/webhook/webhook.ts'

/** What a node has sent to webhooks, and what waits; for those who watch over it. */
export class WebhookFigures {
  readonly deliveries = { taken: 0, refused: 0, unanswered: 0 }
  readonly switchedOff = { failed: 0, gone: 0 }
  /** Of the whole installation, as this node last saw them. */
  endpoints: Record<WebhookState, number> = { active: 0, failing: 0, disabled: 0 }
  /** Since when the endpoint fails that has failed for longest. */
  failingSince: string | null = null
  readonly #timed: (seconds: number) => void
  /** When that happened which an endpoint is to be told next. */
  readonly #waiting = new Map<string, number>()

  constructor(timed: (seconds: number) => void) {
    this.#timed = timed
  }

  sent({ status, error, durationMs }: DeliveryResult): void {
    this.deliveries[error === null ? 'taken' : status === null ? 'unanswered' : 'refused']++
    this.#timed(durationMs / 1000)
  }

  ended(reason: DisabledReason | null): void {
    if (reason === 'failed' || reason === 'gone') this.switchedOff[reason]++
  }

  waits(webhook: string, sinceIso: string): void {
    this.#waiting.set(webhook, Date.parse(sinceIso))
  }

  waitsNoMore(webhook: string): void {
    this.#waiting.delete(webhook)
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** The age of what has waited for longest: what is being sent, and what a receiver does not take. */
  get oldestSeconds(): { active: number; failing: number } {
    const failingMs = this.failingSince === null ? Number.POSITIVE_INFINITY : Date.parse(this.failingSince)
    return { active: secondsSince(Math.min(...this.#waiting.values())), failing: secondsSince(failingMs) }
  }
}

function secondsSince(momentMs: number): number {
  return Number.isFinite(momentMs) ? Math.max(0, Date.now() - momentMs) / 1000 : 0
}
