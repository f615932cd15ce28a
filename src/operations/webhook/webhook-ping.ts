import { newId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import type { DeliveryResult, SendWebhook, WebhookRequest } from '../../domain/webhook/webhook.ts'
import { type Message, messageId, signatureHeaders } from '../../domain/webhook/webhook-signature.ts'
import type { Db } from '../../storage/database.ts'
import type { StoredWebhook } from '../../storage/webhook/webhook.ts'
import { requireWebhook } from './webhook-lookup.ts'

/** The timeout of a ping. It is short, because the request that created or changed the webhook waits for the ping. */
const pingTimeoutMs = 5000

/** Refuses the webhook if its receiver does not accept a signed ping. */
export async function ping(webhook: StoredWebhook, send: SendWebhook): Promise<void> {
  const { error } = await sendPing(webhook, send)
  if (error === null) return
  throw new Refusal('webhook_unreachable', `The receiver did not accept the ping: ${error}. Nothing was changed.`)
}

export async function pingWebhook(db: Db, partner: string, id: string, send: SendWebhook): Promise<DeliveryResult> {
  return sendPing(await db.read((tx) => requireWebhook(tx, partner, id)), send)
}

function sendPing(webhook: StoredWebhook, send: SendWebhook): Promise<DeliveryResult> {
  const id = messageId(webhook.id, newId())
  const body = JSON.stringify({ id, type: 'webhook.ping', occurred_at: nowIso(), data: { webhook: webhook.id } })
  return send(signedRequest(webhook, { id, body }), { timeoutMs: pingTimeoutMs })
}

/** Signs a message with the current secret and, during a rotation's grace period, also with the old one. */
export function signedRequest({ url, secret, old, oldEndsAt }: StoredWebhook, message: Message): WebhookRequest {
  const nowMs = Date.now()
  const holds = old !== null && oldEndsAt !== null && Date.parse(oldEndsAt) > nowMs
  const secrets = holds ? [secret, old] : [secret]
  return { url, headers: signatureHeaders(message, secrets, nowMs), body: message.body }
}
