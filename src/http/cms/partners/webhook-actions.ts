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
import { operatorDeliveryExample } from './webhook-schemas.ts'
import { common, issued, one, path, placeIn } from './webhooks.ts'

export const postWebhookPing: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: `${path}/ping`,
  operationId: 'pingWebhook',
  summary: 'Try a webhook',
  description: 'Sends a signed `webhook.ping` and answers what came back.',
  response: { description: 'What came back.', schema: pingSchema, example: pingExample },
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { partner, id } = placeIn(context)
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
  description: 'Messages are signed with both for `grace_seconds`, a day without them.',
  body: { schema: Type.Object(rotationFields), example: { grace_seconds: 3600 } },
  response: issued,
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { id, keeper } = placeIn(context)
    const { webhook, secret } = await rotateWebhook(context.db, keeper, id, await context.read(parseRotation))
    return { body: { webhook: webhookView(webhook), secret } }
  },
}

export const listWebhookDeliveries: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path: `${path}/deliveries`,
  operationId: 'listWebhookDeliveries',
  summary: 'List what was sent to a webhook',
  description: 'The newest first. What was sent is not kept, and of responses only the last one that was not accepted.',
  query: ['limit', 'cursor'],
  uncounted: true,
  response: {
    description: 'A page of tries.',
    schema: Type.Array(Type.Ref('WebhookDelivery')),
    example: [operatorDeliveryExample],
  },
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { partner, id } = placeIn(context)
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
  summary: 'Send to a failing webhook now',
  description: 'What waits for the next attempt is sent at once, in its order.',
  response: one,
  refusals: ['webhook_not_found', 'webhook_disabled'],
  handle: async (context) => {
    const { id, keeper } = placeIn(context)
    return { body: webhookView(await retryWebhook(context.db, keeper, id)) }
  },
}

export const postWebhookReplay: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: `${path}/replay`,
  operationId: 'replayWebhook',
  summary: 'Send events once more',
  description:
    'One event, all from one event to another, or all from one moment to another. It begins at once, also where the webhook waits for its next attempt; what it has not accepted yet is tried again.',
  body: { schema: Type.Object(replayFields), example: { event: deliveryExample.event } },
  response: one,
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { id, keeper } = placeIn(context)
    return { body: webhookView(await replayWebhook(context.db, keeper, id, await context.read(parseReplay))) }
  },
}
