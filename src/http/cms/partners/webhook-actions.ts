import { parseReplay, parseRotation } from '../../../domain/webhook/webhook-body.ts'
import { rotateWebhook } from '../../../operations/webhook/webhook.ts'
import { findDeliveries, replayWebhook, retryWebhook } from '../../../operations/webhook/webhook-log.ts'
import { pingWebhook } from '../../../operations/webhook/webhook-ping.ts'
import { Type } from '../../schema.ts'
import {
  deliveryExample,
  operatorDeliveryView,
  pingExample,
  pingSchema,
  pingView,
  replayFields,
  rotationFields,
  webhookView,
} from '../../webhook-view.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { pageLength } from '../query.ts'
import { common, issued, one, operatorDeliveryExample, path, webhookIds } from './webhooks.ts'

export const postWebhookPing: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: `${path}/ping`,
  operationId: 'pingWebhook',
  summary: 'Test a webhook',
  description: 'Sends a signed `webhook.ping` and returns the result.',
  response: { description: 'The result.', schema: pingSchema, example: pingExample },
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { partner, id } = webhookIds(context)
    return { body: pingView(await pingWebhook(context.db, partner, id, context.send)) }
  },
}

export const postWebhookRotation: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: `${path}/rotate`,
  operationId: 'rotateWebhook',
  summary: 'Replace the secret of a webhook',
  description: 'Messages are signed with both secrets for `grace_seconds`; default: a day.',
  body: { schema: Type.Object(rotationFields), example: { grace_seconds: 3600 } },
  response: issued,
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { id, owner } = webhookIds(context)
    const { webhook, secret } = await rotateWebhook(context.db, owner, id, await context.read(parseRotation))
    return { body: { webhook: webhookView(webhook), secret } }
  },
}

export const listWebhookDeliveries: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path: `${path}/deliveries`,
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'The newest first. Payloads are not stored; of responses, only the last one that was not a success.',
  query: ['limit', 'cursor'],
  uncounted: true,
  response: {
    description: 'A page of attempts.',
    schema: Type.Array(Type.Ref('WebhookDelivery')),
    example: [operatorDeliveryExample],
  },
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { partner, id } = webhookIds(context)
    const { limit = pageLength, cursor } = context.query()
    const { items, next } = await findDeliveries(context.db, partner, id, { limit, cursor })
    return { body: items.map(operatorDeliveryView), next }
  },
}

export const postWebhookRetry: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: `${path}/retry`,
  operationId: 'retryWebhook',
  summary: 'Retry a failing webhook now',
  description:
    'Sends the waiting events at once, in order. If that fails, the next scheduled attempt stays when it was due.',
  response: one,
  refusals: ['webhook_not_found', 'webhook_disabled'],
  handle: async (context) => {
    const { id, owner } = webhookIds(context)
    return { body: webhookView(await retryWebhook(context.db, owner, id)) }
  },
}

export const postWebhookReplay: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: `${path}/replay`,
  operationId: 'replayWebhook',
  summary: 'Replay events',
  description:
    'One event, a range of events, or all events of a time range. The replay starts at once, also when the webhook waits for its next attempt; events that it has not accepted yet are retried.',
  body: { schema: Type.Object(replayFields), example: { event: deliveryExample.event } },
  response: one,
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { id, owner } = webhookIds(context)
    return { body: webhookView(await replayWebhook(context.db, owner, id, await context.read(parseReplay))) }
  },
}
