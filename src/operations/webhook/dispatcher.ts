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

/** How many endpoints a node sends to at a time. */
const sendersAtMost = 32
const webhooksAtOnce = 200
/** Between two looks, so that many changes are found by one. */
const pauseMs = 100
/** Several times before others would take over. */
const renewEveryMs = 700
/** After this a look is taken even if nothing happened: another node may have gone and left its work behind. */
const lookAgainMs = 5000
/** While there are no endpoints at all. */
const idleMs = 1000
/** What lies behind an endpoint for which there is nothing is written down now and then. */
const unwrittenAtMost = 64_000
/** What is being sent when the node stops may still be answered. */
const patienceMs = 4000

/** Sends what happens to those who want to know, from one node of many: whoever takes an endpoint first sends for it. */
export class WebhookDispatcher {
  readonly #sender: Sender
  readonly #warn: (error: unknown) => void
  readonly #turns = new Map<string, Promise<void>>()
  /** Up to where there was nothing for an endpoint. */
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

  /** Takes nothing new, and gives what is under way a moment. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#rest.abort()
    const ended = Promise.all([this.#running, ...this.#turns.values()])
    await Promise.race([ended, sleep(patienceMs, undefined, { ref: false })])
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
        await this.#wait(await this.#look())
      } catch (error) {
        this.#warn(error)
        await this.#pause(idleMs)
      }
    }
  }

  /** Until something may have happened, an endpoint may be tried again, or a turn has ended. */
  async #wait(highest: number): Promise<void> {
    await this.#pause(pauseMs)
    const { db, figures } = this.#sender
    const { endpoints, failingSince, nextAt } = await db.read((tx) => upcoming(tx, nowIso()))
    Object.assign(figures, { endpoints, failingSince })
    if (endpoints.active + endpoints.failing === 0) return this.#pause(idleMs)
    const withinMs = Math.min(lookAgainMs, nextAt === null ? lookAgainMs : Date.parse(nextAt) - Date.now())
    const rest = this.#rest
    const timer = setTimeout(() => rest.abort(), Math.max(0, withinMs))
    await whenChanged(db, highest, rest.signal)
    clearTimeout(timer)
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  /** Gives every endpoint that is due a turn, and answers up to where it has looked. */
  async #look(): Promise<number> {
    const { db } = this.#sender
    const highest = await newestPlace(db)
    const passed = new Map<string, number>()
    let due: StoredWebhook[]
    for (let after = ''; ; after = due.at(-1)?.id as string) {
      due = await db.read((tx) => dueWebhooks(tx, { nowIso: nowIso(), highest, after, limit: webhooksAtOnce }))
      for (const webhook of due) {
        if (this.#stopping.signal.aborted) return highest
        if (!this.#turns.has(webhook.id) && (await this.#isWaitedFor(webhook, passed))) await this.#begin(webhook.id)
      }
      if (due.length < webhooksAtOnce) break
    }
    this.#passed = passed
    return highest
  }

  /** Whether there is something for it. Most of what happens is none of an endpoint's business, and costs no write. */
  async #isWaitedFor(webhook: StoredWebhook, passed: Map<string, number>): Promise<boolean> {
    if (webhook.replay !== undefined) return true
    const { db, figures } = this.#sender
    const { event, upTo } = await nextFor(db, webhook, Math.max(webhook.place, this.#passed.get(webhook.id) ?? 0))
    if (event !== undefined) {
      figures.waits(webhook.id, event.view.occurred_at)
      return true
    }
    passed.set(webhook.id, upTo)
    if (upTo - webhook.place > unwrittenAtMost) await db.write((tx) => advanceCursor(tx, webhook, upTo, nowIso()))
    return false
  }

  async #begin(id: string): Promise<void> {
    if (this.#turns.size >= sendersAtMost) await Promise.race(this.#turns.values())
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
