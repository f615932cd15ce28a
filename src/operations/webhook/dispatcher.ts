import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../domain/identifier.ts'
import { nowIso } from '../../domain/time.ts'
import type { SendWebhook } from '../../domain/webhook/webhook.ts'
import type { Db } from '../../storage/database.ts'
import type { StoredWebhook } from '../../storage/webhook/webhook.ts'
import { advanceCursor, dueWebhooks, renewLeases, webhookSummary } from '../../storage/webhook/webhook-lease.ts'
import { newestOffset, waitForEvents } from '../events/events.ts'
import { type DeliveryContext, deliverEvents, findNextEvent, leaseOf } from './webhook-delivery.ts'
import type { WebhookMetrics } from './webhook-metrics.ts'

/** The maximum number of webhooks that a node sends to at a time. */
const maxConcurrent = 32
const webhooksPerBatch = 200
/** Minimum time between two polls for new events, so that one poll finds many events. */
const minPollIntervalMs = 100
/** How often leases on webhooks are renewed: so often that a node keeps a lease even if one renewal is late. */
const renewEveryMs = 700
/** Maximum time between two polls. The webhooks of a node that has stopped wait up to that long for another node. */
const maxPollIntervalMs = 5000
/** Poll interval while there are no webhooks. */
const idleMs = 1000
/** How far, in offsets, a stored cursor may lag while its webhook gets no event, to save a write per skipped event. */
const maxCursorLag = 64_000
/** Grace period for deliveries in progress when the node stops. */
const drainTimeoutMs = 4000

/**
 * Delivers events to webhooks, in order per webhook. All nodes run a dispatcher; a lease in the database lets one of
 * them at a time send to a webhook. The cursor moves only after the receiver has accepted the event, so that each event
 * is delivered at least once.
 */
export class WebhookDispatcher {
  readonly #context: DeliveryContext
  readonly #warn: (error: unknown) => void
  readonly #deliveries = new Map<string, Promise<void>>()
  /** By webhook id, the offset up to which no event is for the webhook. Not stored in the database, to save writes. */
  #skippedUpTo = new Map<string, number>()
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  #wakeUp = new AbortController()
  #running: Promise<void> | undefined
  #renewing: NodeJS.Timeout | undefined

  constructor(db: Db, send: SendWebhook, metrics: WebhookMetrics, warn: (error: unknown) => void) {
    this.#context = { db, send, metrics, owner: newId(), signal: this.#aborting.signal }
    this.#warn = warn
  }

  start(): void {
    this.#running = this.#run()
    this.#renewing = setInterval(() => void this.#renew(), renewEveryMs).unref()
  }

  /** Deliveries in progress are aborted after the grace period. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wakeUp.abort()
    const ended = Promise.all([this.#running, ...this.#deliveries.values()])
    await Promise.race([ended, sleep(drainTimeoutMs, undefined, { ref: false })])
    this.#aborting.abort()
    await ended
    clearInterval(this.#renewing)
  }

  async #renew(): Promise<void> {
    if (this.#deliveries.size === 0) return
    const { db, owner } = this.#context
    await db.write((tx) => renewLeases(tx, leaseOf(owner))).catch(this.#warn)
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#wakeUp = new AbortController()
      try {
        await this.#wait(await this.#poll())
      } catch (error) {
        this.#warn(error)
        await this.#pause(idleMs)
      }
    }
  }

  /** Waits for a new event, the time of the next retry, or the end of a delivery, whichever comes first. */
  async #wait(highest: number): Promise<void> {
    await this.#pause(minPollIntervalMs)
    const { db, metrics } = this.#context
    const { endpoints, failingSince, nextAt } = await db.read((tx) => webhookSummary(tx, nowIso()))
    Object.assign(metrics, { endpoints, failingSince })
    if (endpoints.active + endpoints.failing === 0) return this.#pause(idleMs)
    const withinMs = Math.min(maxPollIntervalMs, nextAt === null ? maxPollIntervalMs : Date.parse(nextAt) - Date.now())
    const wakeUp = this.#wakeUp
    const timer = setTimeout(() => wakeUp.abort(), Math.max(0, withinMs))
    await waitForEvents(db, highest, wakeUp.signal)
    clearTimeout(timer)
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  /** Returns the offset of the newest event when the poll began. */
  async #poll(): Promise<number> {
    const { db } = this.#context
    const highest = await newestOffset(db)
    const skippedUpTo = new Map<string, number>()
    let due: StoredWebhook[]
    for (let after = ''; ; after = due.at(-1)?.id as string) {
      due = await db.read((tx) => dueWebhooks(tx, { nowIso: nowIso(), highest, after, limit: webhooksPerBatch }))
      for (const webhook of due) {
        if (this.#stopping.signal.aborted) return highest
        if (this.#deliveries.has(webhook.id)) continue
        if (await this.#hasEvent(webhook, skippedUpTo)) await this.#startDelivery(webhook.id)
      }
      if (due.length < webhooksPerBatch) break
    }
    this.#skippedUpTo = skippedUpTo
    return highest
  }

  /** Returns whether the webhook has an event. If not, which is usual, notes in memory how far it looked. */
  async #hasEvent(webhook: StoredWebhook, skippedUpTo: Map<string, number>): Promise<boolean> {
    if (webhook.replay !== undefined) return true
    const { db, metrics } = this.#context
    const after = Math.max(webhook.place, this.#skippedUpTo.get(webhook.id) ?? 0)
    const { event, upTo } = await findNextEvent(db, webhook, after)
    if (event !== undefined) {
      metrics.setWaiting(webhook.id, event.view.occurred_at)
      return true
    }
    skippedUpTo.set(webhook.id, upTo)
    if (upTo - webhook.place > maxCursorLag) await db.write((tx) => advanceCursor(tx, webhook, upTo, nowIso()))
    return false
  }

  async #startDelivery(id: string): Promise<void> {
    if (this.#deliveries.size >= maxConcurrent) await Promise.race(this.#deliveries.values())
    const delivery = deliverEvents(this.#context, id)
      .catch(this.#warn)
      .finally(() => {
        this.#deliveries.delete(id)
        this.#context.metrics.clearWaiting(id)
        this.#wakeUp.abort()
      })
    this.#deliveries.set(id, delivery)
  }
}
