import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Refusal } from '../../domain/refusal.ts'
import { EventIds, lastOffsetOf } from '../../domain/room/event-offset.ts'
import { nowIso } from '../../domain/time.ts'
import type { Webhook } from '../../domain/webhook/webhook.ts'
import {
  bodyRefused,
  type EventReplay,
  type ReplayRequest,
  type TimeReplay,
} from '../../domain/webhook/webhook-body.ts'
import { firstEntrySince, lastEntryBefore } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { eventSecret } from '../../storage/webhook/event-secret.ts'
import { listWebhooks, lockWebhook, type StoredWebhook, updateWebhook } from '../../storage/webhook/webhook.ts'
import {
  deleteOldDeliveries,
  type LoggedDelivery,
  lastDeliveries,
  pageOfDeliveries,
} from '../../storage/webhook/webhook-delivery.ts'
import { newestOffset } from '../events/events.ts'
import { decodeCursor, encodeCursor, listName, type Page, toPage } from '../page.ts'
import type { WebhookOwner } from './webhook.ts'
import { assertPartner, record, requireWebhook } from './webhook-lookup.ts'

const retentionMs = 30 * 86_400_000
const batchSize = 500

export interface WebhookWithAttempt extends Webhook {
  lastAttempt: LoggedDelivery | undefined
}

export function findWithAttempts(db: Db, partner: string): Promise<WebhookWithAttempt[]> {
  return db.read(async (tx) => {
    await assertPartner(tx, partner)
    const webhooks = await listWebhooks(tx, partner)
    const last = await lastDeliveries(
      tx,
      webhooks.map(({ id }) => id),
    )
    return webhooks.map((webhook) => ({ ...webhook, lastAttempt: last.get(webhook.id) }))
  })
}

export function findDeliveries(
  db: Db,
  partner: string,
  id: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<Page<LoggedDelivery>> {
  const list = listName('deliveries', id)
  const before = decodeCursor(list, cursor, ([seq]) => (typeof seq === 'number' ? seq : undefined))
  return db.read(async (tx) => {
    await requireWebhook(tx, partner, id)
    const rows = await pageOfDeliveries(tx, id, before, limit + 1)
    return toPage(rows, limit, ({ seq }) => encodeCursor(list, seq))
  })
}

export async function pruneDeliveries(db: Db): Promise<void> {
  const oldest = new Date(Date.now() - retentionMs).toISOString()
  while (await db.write((tx) => deleteOldDeliveries(tx, oldest, batchSize))) await yieldToEventLoop()
}

/** Ends the wait (backoff) of a failing webhook, so that the next attempt runs at once. */
export function retryWebhook(db: Db, { partner, actor }: WebhookOwner, id: string): Promise<StoredWebhook> {
  return db.write(async (tx) => {
    const current = await requireWebhook(tx, partner, id, lockWebhook)
    if (current.disabledAt !== null) {
      throw new Refusal('webhook_disabled', 'The webhook is disabled. Enable it instead.')
    }
    const webhook = { ...current, ...dueNow(current) }
    await updateWebhook(tx, webhook)
    const { failures, failingSince, nextAt } = current
    const waited = failingSince === null ? {} : { failures, failing_since: failingSince, next_attempt_at: nextAt }
    record(tx, actor, 'webhook.retry', webhook, waited)
    return webhook
  })
}

/**
 * Makes an attempt due now. Keeps the time of the scheduled attempt of a failing webhook, so that manual attempts do not
 * lengthen the backoff.
 */
function dueNow({ failingSince, nextAt, scheduledAt }: StoredWebhook): Pick<StoredWebhook, 'nextAt' | 'scheduledAt'> {
  return { nextAt: nowIso(), scheduledAt: failingSince === null ? null : (scheduledAt ?? nextAt) }
}

/**
 * Sends past events again, before new ones and with the same ids. Starts at once, even during a backoff. Leaves out
 * events that were not delivered yet, which follow in their order anyway.
 */
export async function replayWebhook(
  db: Db,
  owner: WebhookOwner,
  id: string,
  order: ReplayRequest,
): Promise<StoredWebhook> {
  const { partner, actor } = owner
  const eventIds = new EventIds(await eventSecret(db), partner)
  const newest = await newestOffset(db)
  return db.write(async (tx) => {
    const current = await requireWebhook(tx, partner, id, lockWebhook)
    const range = 'from' in order ? await eventsOf(tx, order) : namedRange(eventIds, order)
    if (range.after >= Math.min(range.until, newest))
      throw bodyRefused([{ pointer: '', detail: 'names nothing that has happened by now' }])
    const webhook = { ...current, replay: replayOf(current, range), ...dueNow(current) }
    await updateWebhook(tx, webhook)
    record(tx, actor, 'webhook.replay', webhook, order)
    return webhook
  })
}

interface Range {
  after: number
  until: number
}

/** Limits the range to events that were already delivered, and merges it with a replay in progress. */
function replayOf({ place, replay }: StoredWebhook, { after, until }: Range): Range | undefined {
  if (after >= place) return replay
  const sent = { after, until: Math.min(until, place) }
  if (replay === undefined) return sent
  return { after: Math.min(replay.after, sent.after), until: Math.max(replay.until, sent.until) }
}

function namedRange(eventIds: EventIds, order: EventReplay): Range {
  const placeOf = (pointer: string, event: string) => {
    const place = eventIds.read(event)
    if (place === undefined) throw bodyRefused([{ pointer, detail: 'must be the id of an event' }])
    return place
  }
  if ('event' in order) {
    const place = placeOf('/event', order.event)
    return { after: place - 1, until: place }
  }
  const { from_event: from, to_event: to } = order
  const after = placeOf('/from_event', from) - 1
  return { after, until: to === undefined ? Number.MAX_SAFE_INTEGER : placeOf('/to_event', to) }
}

async function eventsOf(tx: Tx, { from, to }: TimeReplay): Promise<Range> {
  const first = await firstEntrySince(tx, from)
  const last = to === undefined ? undefined : await lastEntryBefore(tx, to)
  return {
    after: first === undefined ? Number.MAX_SAFE_INTEGER : lastOffsetOf(first - 1),
    until: to === undefined ? Number.MAX_SAFE_INTEGER : lastOffsetOf(last ?? 0),
  }
}
