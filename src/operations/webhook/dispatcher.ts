import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../domain/identifier.ts'
import { nowIso } from '../../domain/time.ts'
import type { SendWebhook } from '../../domain/webhook/webhook.ts'
import type { Db } from '../../storage/database.ts'
import type { StoredWebhook } from '../../storage/webhook/webhook.ts'
import { advanceCursor, dueWebhooks, renewLeases, upcoming } from '../../storage/webhook/webhook-lease.ts'
import { newestPlace, whenChanged } from '../events/events.ts'
import type { WebhookFigures } from './webhook-figures.ts'
import { leaseOf, nextFor, type Sender, takeTurn } from './webhook-turn.ts'

/** Webhooks that a node sends to concurrently. */
const maxConcurrent = 32
const webhooksPerBatch = 200
/** Minimum time between two polls, so that one poll finds many changes. */
const minPollIntervalMs = 100
/** A fraction of the lease, so that one late renewal does not lose it. */
const renewEveryMs = 700
/** Maximum time between two polls: another node may have stopped and left its webhooks. */
const maxPollIntervalMs = 5000
/** Poll interval while there are no webhooks. */
const idleMs = 1000
/** How far a cursor may lag behind, in offsets, while nothing is sent. It saves a write for every irrelevant event. */
const maxCursorLag = 64_000
/** Grace period for deliveries in progress when the node stops. */
const drainTimeoutMs = 4000

/**
 * Delivers events to webhooks, in order per webhook. All nodes run a dispatcher; a lease in the database makes sure that
 * one of them sends to a webhook at a time, and another takes over when the lease of a stopped node expires. The cursor
 * moves after a delivery is acknowledged, so that delivery is at least once.
 */
export class WebhookDispatcher {
  readonly #sender: Sender
  readonly #warn: (error: unknown) => void
  readonly #turns = new Map<string, Promise<void>>()
  /** Per webhook, the offset up to which no event is for it, in memory only. */
  #passed = new Map<string, number>()
  readonly #stopping = new AbortController()
  readonly #cutOff = new AbortController()
  #rest = new AbortController()
  #running: Promise<void> | undefined
  #renewing: NodeJS.Timeout | undefined

  constructor(db: Db, send: SendWebhook, figures: WebhookFigures, warn: (error: unknown) => void) {
    this.#sender = { db, send, figures, owner: newId(), signal: this.#cutOff.signal }
    this.#warn = warn
  }

  start(): void {
    this.#running = this.#run()
    this.#renewing = setInterval(() => void this.#renew(), renewEveryMs).unref()
  }

  /** Starts no more deliveries, and waits for those in progress, which are aborted after the grace period. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#rest.abort()
    const ended = Promise.all([this.#running, ...this.#turns.values()])
    await Promise.race([ended, sleep(drainTimeoutMs, undefined, { ref: false })])
    this.#cutOff.abort()
    await ended
    clearInterval(this.#renewing)
  }

  async #renew(): Promise<void> {
    if (this.#turns.size === 0) return
    const { db, owner } = this.#sender
    await db.write((tx) => renewLeases(tx, leaseOf(owner))).catch(this.#warn)
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#rest = new AbortController()
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
    const { db, figures } = this.#sender
    const { endpoints, failingSince, nextAt } = await db.read((tx) => upcoming(tx, nowIso()))
    Object.assign(figures, { endpoints, failingSince })
    if (endpoints.active + endpoints.failing === 0) return this.#pause(idleMs)
    const withinMs = Math.min(maxPollIntervalMs, nextAt === null ? maxPollIntervalMs : Date.parse(nextAt) - Date.now())
    const rest = this.#rest
    const timer = setTimeout(() => rest.abort(), Math.max(0, withinMs))
    await whenChanged(db, highest, rest.signal)
    clearTimeout(timer)
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  /** Starts deliveries to every webhook that is due. Returns the offset of the newest event that was considered. */
  async #poll(): Promise<number> {
    const { db } = this.#sender
    const highest = await newestPlace(db)
    const passed = new Map<string, number>()
    let due: StoredWebhook[]
    for (let after = ''; ; after = due.at(-1)?.id as string) {
      due = await db.read((tx) => dueWebhooks(tx, { nowIso: nowIso(), highest, after, limit: webhooksPerBatch }))
      for (const webhook of due) {
        if (this.#stopping.signal.aborted) return highest
        if (!this.#turns.has(webhook.id) && (await this.#isWaitedFor(webhook, passed))) await this.#begin(webhook.id)
      }
      if (due.length < webhooksPerBatch) break
    }
    this.#passed = passed
    return highest
  }

  /** Returns whether there is an event for the webhook. Most events are for no webhook, and then cost no write. */
  async #isWaitedFor(webhook: StoredWebhook, passed: Map<string, number>): Promise<boolean> {
    if (webhook.replay !== undefined) return true
    const { db, figures } = this.#sender
    const { event, upTo } = await nextFor(db, webhook, Math.max(webhook.place, this.#passed.get(webhook.id) ?? 0))
    if (event !== undefined) {
      figures.waits(webhook.id, event.view.occurred_at)
      return true
    }
    passed.set(webhook.id, upTo)
    if (upTo - webhook.place > maxCursorLag) await db.write((tx) => advanceCursor(tx, webhook, upTo, nowIso()))
    return false
  }

  async #begin(id: string): Promise<void> {
    if (this.#turns.size >= maxConcurrent) await Promise.race(this.#turns.values())
    const turn = takeTurn(this.#sender, id)
      .catch(this.#warn)
      .finally(() => {
        this.#turns.delete(id)
        this.#sender.figures.waitsNoMore(id)
        this.#rest.abort()
      })
    this.#turns.set(id, turn)
  }
}
