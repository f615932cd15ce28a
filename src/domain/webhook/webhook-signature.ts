import { createHmac, hash, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

/** As the Standard Webhooks rules write it. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64')
}

export interface Message {
  /** The same whenever this event is sent to this endpoint. */
  id: string
  body: string
}

/** What a receiver needs to know that it was us, and when; one signature for each secret that holds. */
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

/** Says nothing of what it was made of. */
export function messageId(webhook: string, event: string): string {
  return `msg_${hash('sha256', `${webhook} ${event}`, 'base64url').slice(0, 27)}`
}
