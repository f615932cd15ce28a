import { after, before } from 'node:test'
import type { TestAtrium } from './atrium.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** Settings that allow webhooks to reach a receiver of the tests. */
export const webhookSettings = { ATRIUM_WEBHOOK_ALLOWED_RANGES: '127.0.0.1/32' }

/** A receiver for the suite in which it is called. */
export function receiverOfSuite(): () => Receiver {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver[Symbol.asyncDispose]())
  return () => receiver
}

let made = 0

/** Creates a webhook of the partner `everything` and returns its id. */
export async function someWebhook({ ask }: TestAtrium, { url }: Receiver): Promise<string> {
  const { body } = await ask('POST /v1/webhooks', { as: 'everything', body: { url: `${url}/${++made}`, types: '*' } })
  return body.webhook.id
}
