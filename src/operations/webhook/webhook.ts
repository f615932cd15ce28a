import type { Actor } from '../../domain/audit/audit.ts'
import { created, removed, webhookValues } from '../../domain/audit/estate-audit.ts'
import { newId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import type { SendWebhook, Webhook } from '../../domain/webhook/webhook.ts'
import { maxWebhooks, type NewWebhook, type WebhookSettings } from '../../domain/webhook/webhook-body.ts'
import { newWebhookSecret } from '../../domain/webhook/webhook-signature.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import {
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  type StoredWebhook,
  updateWebhook,
} from '../../storage/webhook/webhook.ts'
import type { Expect } from '../access/operator.ts'
import { newestOffset } from '../events/events.ts'
import { assertPartner, record, requireWebhook } from './webhook-lookup.ts'
import { ping } from './webhook-ping.ts'

export interface WebhookOwner {
  partner: string
  actor: Actor
}

/** A webhook with its new signing secret, which is returned only here. */
interface IssuedWebhook {
  webhook: Webhook
  secret: string
}

export function findWebhooks(db: Db, partner: string): Promise<Webhook[]> {
  return db.read(async (tx) => {
    await assertPartner(tx, partner)
    return listWebhooks(tx, partner)
  })
}

export function readWebhook(db: Db, partner: string, id: string): Promise<Webhook> {
  return db.read((tx) => requireWebhook(tx, partner, id))
}

/** Creates a webhook after its receiver has accepted a signed ping. The webhook receives events from now on. */
export async function createWebhook(
  db: Db,
  { partner, actor }: WebhookOwner,
  settings: NewWebhook,
  send: SendWebhook,
): Promise<IssuedWebhook> {
  await db.read((tx) => assertCanAdd(tx, partner, settings.url))
  const { url, types, own = false, active = true } = settings
  const now = nowIso()
  const secret = newWebhookSecret()
  const webhook: StoredWebhook = {
    ...{ id: newId(), partner, url, types, own, dateCreated: now, dateUpdated: now, nextAt: now },
    ...{ failures: 0, failingSince: null, scheduledAt: null, secret, old: null, oldEndsAt: null, replay: undefined },
    ...(active ? switchedOn : switchedOff(now)),
    place: await newestOffset(db),
  }
  await ping(webhook, send)
  await db.write(async (tx) => {
    await tx.lock(`atrium webhooks of ${partner}`)
    await assertCanAdd(tx, partner, url)
    await insertWebhook(tx, webhook)
    record(tx, actor, 'webhook.create', webhook, { changes: created(webhookValues(webhook)) })
  })
  return { webhook, secret }
}

async function assertCanAdd(tx: Tx, partner: string, url: string): Promise<void> {
  await assertPartner(tx, partner)
  const webhooks = await listWebhooks(tx, partner)
  assertUniqueUrl(webhooks, url)
  if (webhooks.length < maxWebhooks) return
  throw new Refusal('limit_exceeded', `A partner has at most ${maxWebhooks} webhooks.`)
}

function assertUniqueUrl(others: Webhook[], url: string): void {
  if (others.every((other) => other.url !== url)) return
  throw new Refusal('webhook_exists', 'A webhook with this address exists already.')
}

const switchedOn = { disabledAt: null, disabledReason: null }

function switchedOff(now: string) {
  return { disabledAt: now, disabledReason: 'switched_off' as const }
}

/** Changes a webhook. A new address must accept a ping first. A webhook that is enabled again is retried at once. */
export async function changeWebhook(
  db: Db,
  { partner, actor }: WebhookOwner,
  id: string,
  { change, expect, send }: { change: Partial<WebhookSettings>; expect: Expect<Webhook>; send: SendWebhook },
): Promise<Webhook> {
  const before = await db.read((tx) => requireWebhook(tx, partner, id))
  expect(before)
  if (change.url !== undefined && change.url !== before.url) await ping({ ...before, url: change.url }, send)
  return db.write(async (tx) => {
    await tx.lock(`atrium webhooks of ${partner}`)
    const current = await requireWebhook(tx, partner, id, lockWebhook)
    expect(current)
    const others = (await listWebhooks(tx, partner)).filter((other) => other.id !== id)
    if (change.url !== undefined) assertUniqueUrl(others, change.url)
    const changes = changesOf(current, change)
    if (changes.length === 0) return current
    const webhook = { ...current, ...changed(current, change), dateUpdated: nowIso() }
    await updateWebhook(tx, webhook)
    record(tx, actor, 'webhook.update', webhook, { changes })
    return webhook
  })
}

function changesOf(current: Webhook, change: Partial<WebhookSettings>) {
  const before = { url: current.url, types: current.types, own: current.own, active: current.disabledAt === null }
  return (Object.keys(change) as (keyof WebhookSettings)[])
    .filter((key) => JSON.stringify(change[key]) !== JSON.stringify(before[key]))
    .map((key) => ({ key, before: before[key], after: change[key] }))
}

function changed(current: StoredWebhook, { active, ...settings }: Partial<WebhookSettings>): Partial<StoredWebhook> {
  const now = nowIso()
  const isOn = current.disabledAt === null
  if (active === undefined || active === isOn) return settings
  if (!active) return { ...settings, ...switchedOff(now) }
  return { ...settings, ...switchedOn, failures: 0, failingSince: null, nextAt: now, scheduledAt: null }
}

export function removeWebhook(
  db: Db,
  { partner, actor }: WebhookOwner,
  id: string,
  expect: Expect<Webhook>,
): Promise<Webhook> {
  return db.write(async (tx) => {
    const webhook = await requireWebhook(tx, partner, id, lockWebhook)
    expect(webhook)
    await deleteWebhook(tx, id)
    record(tx, actor, 'webhook.remove', webhook, { changes: removed(webhookValues(webhook)) })
    return webhook
  })
}

/** Issues a new signing secret. For a grace period, messages are also signed with the old one. */
export function rotateWebhook(
  db: Db,
  { partner, actor }: WebhookOwner,
  id: string,
  graceSeconds: number,
): Promise<IssuedWebhook> {
  return db.write(async (tx) => {
    const current = await requireWebhook(tx, partner, id, lockWebhook)
    const secret = newWebhookSecret()
    const oldEndsAt = new Date(Date.now() + graceSeconds * 1000).toISOString()
    const webhook = { ...current, secret, old: current.secret, oldEndsAt, dateUpdated: nowIso() }
    await updateWebhook(tx, webhook)
    const changes = [{ key: 'old_ends_at', before: current.oldEndsAt, after: oldEndsAt }]
    record(tx, actor, 'webhook.rotate', webhook, { changes })
    return { webhook, secret }
  })
}
