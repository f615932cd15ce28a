import { Webhook } from 'standardwebhooks'
import type { verifyWebhook } from '../../client/src/index.ts'
import { newWebhookSecret } from '../../src/domain/webhook/webhook-signature.ts'

/** A message as it arrives. */
export interface Letter {
  body: string
  headers: Record<string, string>
  secret: string
}

export function letter(): Letter {
  const secret = newWebhookSecret()
  const body = JSON.stringify({ id: 'x', type: 'area.opened', area: 'lyon-01-101', data: { label: 'Télé' } })
  const now = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
    'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
  }
  return { body, headers, secret }
}

/** Verifies it, and a forged one. The source is run on other Node versions and in a browser. */
export async function postRoom(verify: typeof verifyWebhook, { body, headers, secret }: Letter) {
  const bytes = new TextEncoder().encode(body)
  const types = [await verify(body, headers, secret), await verify(bytes, new Headers(headers), [secret])]
  const refused = await verify(`${body} `, headers, secret).catch((error) => [error.name, error.reason])
  return { types: types.map(({ type }) => type), refused }
}

export const believed = { types: ['area.opened', 'area.opened'], refused: ['UnverifiedWebhook', 'signature_wrong'] }
