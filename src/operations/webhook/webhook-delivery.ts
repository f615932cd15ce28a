import { systemActor } from '../../domain/audit/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import {
  type Delivery,
  type DeliveryResult,
  isSubscribedTo,
  maxFailingSeconds,
  retryDelayMs,
  type SendWebhook,
} from '../../domain/webhook/webhook.ts'
import { messageId } from '../../domain/webhook/webhook-signature.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { Db } from '../../storage/database.ts'
import type { StoredWebhook } from '../../storage/webhook/webhook.ts'
import { recordDelivery, trimDeliveries } from '../../storage/webhook/webhook-delivery.ts'
import {
  acquireLease,
  findLeased,
  type Lease,
  lockLeased,
  releaseLease,
  updateLeased,
} from '../../storage/webhook/webhook-lease.ts'
import { eventsFor, type FoundEvent, newestOffset, oldestOffset } from '../events/events.ts'
import { record } from './webhook-lookup.ts'
import type { WebhookMetrics } from './webhook-metrics.ts'
import { signedRequest } from './webhook-ping.ts'

/** How long a receiver may take to respond. */
const responseTimeoutMs = 15_000
/** Other nodes take over the webhooks of a stopped node after this time without renewal. */
const leaseMs = 3000
/** How long events are sent to one webhook before the next webhook gets its turn. */
const maxTurnMs = 20_000
const maxLoggedDeliveries = 1000
const eventsPerPage = 20

export interface DeliveryContext {
  db: Db
  send: SendWebhook
  metrics: WebhookMetrics
  /** The id by which leases name this node's dispatcher. */
  owner: string
  /** Aborted when the node stops. */
  signal: AbortSignal
}

interface NextEvent {
  event: FoundEvent | undefined
  /** The offset up to which events were examined. If `event` is undefined, none of them is for this webhook. */
  upTo: number
}

/**
 * Each attempt to send reads the event again, because the guest's data may have been purged meanwhile. Checks the
 * grants again after reading. If they have changed, reads again, so that no event is sent under a grant that was
 * removed before the event.
 */
export async function findNextEvent(db: Db, webhook: StoredWebhook, after: number): Promise<NextEvent> {
  const wanted = { limit: eventsPerPage, ownToo: webhook.own }
  let partner = await loadPartner(db, webhook)
  try {
    for (let upTo = after; ; ) {
      if (partner === undefined) return { event: undefined, upTo }
      const { version } = partner
      const { events, last } = await eventsFor(db, partner, upTo, wanted)
      partner = await loadPartner(db, webhook)
      if (partner?.version !== version) continue
      const event = events.find(({ view }) => isSubscribedTo(webhook, view.type))
      if (event !== undefined || last <= upTo) return { event, upTo: last }
      upTo = last
    }
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'cursor_expired')) throw error
    // Continues with the oldest event that is left, if older ones were removed from the audit log.
    const oldest = await oldestOffset(db)
    if (oldest !== undefined && after < oldest) return { event: undefined, upTo: oldest }
    // Continues with the newest event if a backup was restored, because the events from before no longer exist.
    return { event: undefined, upTo: await newestOffset(db) }
  }
}

async function loadPartner({ cache }: Db, webhook: StoredWebhook): Promise<CachedPartner | undefined> {
  await cache.ensureFresh()
  return cache.partners.find(webhook.partner)
}

/** Sends events one by one under the webhook's lease, until none is left, one fails, or `maxTurnMs` have passed. */
export async function deliverEvents(context: DeliveryContext, id: string): Promise<void> {
  const { db, owner, signal } = context
  const endMs = Date.now() + maxTurnMs
  let webhook = await db.write((tx) => acquireLease(tx, id, leaseOf(owner), nowIso()))
  if (webhook === undefined) return
  while (webhook !== undefined && !signal.aborted && Date.now() < endMs) webhook = await deliverNext(context, webhook)
  await db.write(async (tx) => {
    await releaseLease(tx, id, { owner, until: nowIso() })
    await trimDeliveries(tx, id, maxLoggedDeliveries)
  })
}

export function leaseOf(owner: string): Lease {
  return { owner, until: new Date(Date.now() + leaseMs).toISOString() }
}

/** Sends one event, or moves the cursor past those that are not for the webhook. Returns undefined to stop. */
async function deliverNext(context: DeliveryContext, webhook: StoredWebhook): Promise<StoredWebhook | undefined> {
  const { db, owner, metrics, signal } = context
  const { replay, place } = webhook
  const { event, upTo } = await findNextEvent(db, webhook, replay?.after ?? place)
  const found = replay !== undefined && event !== undefined && event.offset > replay.until ? undefined : event
  if (found === undefined) {
    if (replay === undefined && upTo === place) return undefined
    return recordOutcome(context, webhook, (held) => advanced(held, replay, upTo))
  }
  // Reads the webhook after the event, so that a change of the webhook that precedes the event applies to the event.
  const current = await db.read((tx) => findLeased(tx, webhook.id, owner))
  if (current === undefined || !isFor(current, found)) return current
  // Metrics must not show a replayed event as late.
  metrics.setWaiting(webhook.id, replay === undefined ? found.view.occurred_at : nowIso())
  const result = await post(context, current, found)
  // This node's shutdown aborted the attempt, which is no failure of the receiver.
  if (result.error !== null && signal.aborted) return undefined
  metrics.countAttempt(result)
  return recordOutcome(context, webhook, (held) => outcomeOf(held, found, result), { event: found, result })
}

function isFor(webhook: StoredWebhook, { view }: FoundEvent): boolean {
  return isSubscribedTo(webhook, view.type) && (webhook.own || view.origin === 'other')
}

function post(
  { send, signal }: DeliveryContext,
  webhook: StoredWebhook,
  { view }: FoundEvent,
): Promise<DeliveryResult> {
  const message = { id: messageId(webhook.id, view.id), body: JSON.stringify(view) }
  return send(signedRequest(webhook, message), { timeoutMs: responseTimeoutMs, signal })
}

type Outcome = Partial<StoredWebhook>

/** Moves the cursor to the offset. During a replay, shortens the range that is left instead. */
function advanced(held: StoredWebhook, replay: StoredWebhook['replay'], upTo: number): Outcome {
  if (replay === undefined) return { place: Math.max(held.place, upTo) }
  if (held.replay === undefined || held.replay.until !== replay.until) return {}
  return { replay: upTo >= replay.until ? undefined : { after: upTo, until: replay.until } }
}

function outcomeOf(
  held: StoredWebhook,
  event: FoundEvent,
  { error, status, retryAfterSeconds }: DeliveryResult,
): Outcome {
  if (error !== null) return failed(held, status, retryAfterSeconds)
  const well = { failures: 0, failingSince: null, scheduledAt: null }
  const isReplay = held.replay !== undefined && event.offset > held.replay.after && event.offset <= held.replay.until
  return isReplay
    ? { ...well, ...advanced(held, held.replay, event.offset) }
    : { ...well, place: Math.max(held.place, event.offset) }
}

/**
 * Schedules the next attempt after a failure. A failed manual attempt leaves the schedule and the count of failures as
 * they were, unless the scheduled attempt is due by now.
 */
function failed(held: StoredWebhook, status: number | null, retryAfterSeconds: number | undefined): Outcome {
  const nowMs = Date.now()
  const now = new Date(nowMs).toISOString()
  const scheduledMs = held.scheduledAt === null ? 0 : Date.parse(held.scheduledAt)
  const isManual = scheduledMs > nowMs
  const failures = isManual ? held.failures : held.failures + 1
  const failingSince = held.failingSince ?? now
  const failing = { failures, failingSince, scheduledAt: null }
  const isOver = nowMs - Date.parse(failingSince) >= maxFailingSeconds * 1000
  if (status === 410) return { ...failing, disabledAt: now, disabledReason: 'gone' }
  if (isOver) return { ...failing, disabledAt: now, disabledReason: 'failed' }
  const asked = status === 429 || status === 503 ? retryAfterSeconds : undefined
  const nextMs = nowMs + retryDelayMs(isManual ? 0 : failures, asked)
  return { ...failing, nextAt: new Date(Math.max(nextMs, scheduledMs)).toISOString() }
}

interface Attempt {
  event: FoundEvent
  result: DeliveryResult
}

/** Records an outcome. Returns the webhook after it, or undefined if the lease is lost or the delivery failed. */
async function recordOutcome(
  { db, owner, metrics }: DeliveryContext,
  { id }: StoredWebhook,
  outcome: (held: StoredWebhook) => Outcome,
  attempt?: Attempt,
): Promise<StoredWebhook | undefined> {
  const settled = await db.write(async (tx) => {
    const held = await lockLeased(tx, id, owner)
    if (held === undefined) return undefined
    const webhook = { ...held, ...outcome(held) }
    await updateLeased(tx, webhook, leaseOf(owner))
    if (attempt !== undefined) recordDelivery(tx, id, attempt.event.offset, deliveryOf(held, attempt))
    if (webhook.disabledReason !== null) {
      const changes = [{ key: 'active', before: true, after: false }]
      record(tx, systemActor, 'webhook.disable', webhook, { changes, reason: webhook.disabledReason })
    }
    return webhook
  })
  metrics.countDisabled(settled?.disabledReason ?? null)
  return attempt !== undefined && settled !== undefined && settled.failures > 0 ? undefined : settled
}

function deliveryOf({ failures }: StoredWebhook, { event: { view }, result }: Attempt): Delivery {
  const { status, durationMs, error } = result
  // The response may contain guest data from the event, which must not outlive the guest's stay.
  const response = view.type.startsWith('service') ? null : result.response
  return { event: view.id, type: view.type, attempt: failures + 1, at: nowIso(), status, durationMs, error, response }
}
