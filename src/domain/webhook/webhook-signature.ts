import { createHmac, hash, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

/** Creates a secret in the format of Standard Webhooks (https://www.standardwebhooks.com). */
export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64')
}

export interface Message {
  /** The same for each attempt to send an event to a webhook, so that receivers can ignore duplicates. */
  id: string
  body: string
}

/** Returns the signature headers of Standard Webhooks, with one signature per valid secret (two during a rotation). */
export function signatureHeaders({ id, body }: Message, secrets: string[], nowMs: number): Record<string, string> {
  const timestamp = Math.floor(nowMs / 1000)
  const signed = `${id}.${timestamp}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret, signed)}`).join(' '),
  }
}

function sign(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return createHmac('sha256', key).update(signed).digest('base64')
}

/** A hash, so that it reveals neither the event's id nor the webhook's. */
export function messageId(webhook: string, event: string): string {
  return `msg_${hash('sha256', `${webhook} ${event}`, 'base64url').slice(0, 27)}`
}
