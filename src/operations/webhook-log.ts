import { setImmediate as pause } from 'node:timers/promises'
import { endOf, PlaceNames } from '../domain/event-place.ts'
import { bodyRefused, type ReplayOrder } from '../domain/webhook-order.ts'
import { firstEntrySince, lastEntryBefore } from '../storage/audit.ts'
import type { Db } from '../storage/database.ts'
import type { Tx } from '../storage/engine.ts'
import { eventSecret } from '../storage/event-secret.ts'
import { lockWebhook, type StoredWebhook, updateWebhook } from '../storage/webhook.ts'
import { deleteOldDeliveries, type LoggedDelivery, pageOfDeliveries } from '../storage/webhook-delivery.ts'
import { cut, decodeCursor, encodeCursor, type Page } from './page.ts'
import type { Keeper } from './webhook.ts'
import { demandWebhook, record } from './webhook-lookup.ts'

const keptMs = 30 * 86_400_000
const atOnce = 500

/** What was sent, the newest first. */
export function findDeliveries(
  db: Db,
  partner: string,
  id: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<Page<LoggedDelivery>> {
  const before = decodeCursor('deliveries', cursor, ([seq]) => (typeof seq === 'number' ? seq : undefined))
  return db.read(async (tx) => {
    await demandWebhook(tx, partner, id)
    const rows = await pageOfDeliveries(tx, id, before, limit + 1)
    return cut(rows, limit, ({ seq }) => encodeCursor('deliveries', seq))
  })
}

export async function forgetOldDeliveries(db: Db): Promise<void> {
  const oldest = new Date(Date.now() - keptMs).toISOString()
  while (await db.write((tx) => deleteOldDeliveries(tx, oldest, atOnce))) await pause()
}

/** Sends again what has been; the receiver knows it by its ids. It begins at once, before anything new. */
export async function replayWebhook(db: Db, keeper: Keeper, id: string, order: ReplayOrder): Promise<StoredWebhook> {
  const { partner, actor } = keeper
  const names = 'event' in order ? new PlaceNames(await eventSecret(db), partner) : undefined
  return db.write(async (tx) => {
    const current = await demandWebhook(tx, partner, id, lockWebhook)
    const range = 'event' in order ? oneEvent(names?.read(order.event)) : await eventsOf(tx, order)
    const until = Math.min(range.until, current.place)
    if (range.after >= until) throw bodyRefused([{ pointer: '', detail: 'names nothing that has happened by now' }])
    const webhook = { ...current, replay: { after: range.after, until } }
    await updateWebhook(tx, webhook)
    record(tx, actor, 'webhook.replay', webhook, order)
    return webhook
  })
}

interface Range {
  after: number
  until: number
}

function oneEvent(place: number | undefined): Range {
  if (place === undefined) throw bodyRefused([{ pointer: '/event', detail: 'must be the id of an event' }])
  return { after: place - 1, until: place }
}

async function eventsOf(tx: Tx, { from, to }: { from: string; to: string | undefined }): Promise<Range> {
  const first = await firstEntrySince(tx, from)
  const last = to === undefined ? undefined : await lastEntryBefore(tx, to)
  return {
    after: first === undefined ? Number.MAX_SAFE_INTEGER : endOf(first - 1),
    until: to === undefined ? Number.MAX_SAFE_INTEGER : endOf(last ?? 0),
  }
}
