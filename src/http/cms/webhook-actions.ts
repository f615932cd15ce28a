import { parseReplay, parseRotation } from '../../domain/webhook-order.ts'
import { rotateWebhook } from '../../operations/webhook.ts'
import { findDeliveries, replayWebhook } from '../../operations/webhook-log.ts'
import { pingWebhook } from '../../operations/webhook-ping.ts'
import { Type } from '../schema.ts'
import {
  deliveryExample,
  deliveryView,
  pingExample,
  pingSchema,
  pingView,
  replayFields,
  rotationFields,
  webhookView,
} from '../webhook-view.ts'
import type { OperatorEndpoint } from './endpoint.ts'
import { pageLength } from './query.ts'
import { common, issued, one, path, placeIn } from './webhooks.ts'

export const postWebhookPing: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: `${path}/ping`,
  operationId: 'pingWebhook',
  summary: 'Try a webhook',
  description: 'Sends a signed `webhook.ping` and answers what came back.',
  answer: { description: 'What came back.', schema: pingSchema, example: pingExample },
  refusals: ['webhook_not_found'],
  handle: async (call) => {
    const { partner, id } = placeIn(call)
    return { body: pingView(await pingWebhook(call.db, partner, id, call.send)) }
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
  answer: issued,
  refusals: ['webhook_not_found'],
  handle: async (call) => {
    const { id, keeper } = placeIn(call)
    const { webhook, secret } = await rotateWebhook(call.db, keeper, id, await call.read(parseRotation))
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
  description: 'The newest first. Neither what was sent nor what was answered is kept.',
  query: ['limit', 'cursor'],
  uncounted: true,
  answer: {
    description: 'A page of tries.',
    schema: Type.Array(Type.Ref('WebhookDelivery')),
    example: [deliveryExample],
  },
  refusals: ['webhook_not_found'],
  handle: async (call) => {
    const { partner, id } = placeIn(call)
    const { limit = pageLength, cursor } = call.query()
    const { items, next } = await findDeliveries(call.db, partner, id, { limit, cursor })
    return { body: items.map(deliveryView), next }
  },
}

export const postWebhookReplay: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: `${path}/replay`,
  operationId: 'replayWebhook',
  summary: 'Send events once more',
  description: 'One event, or all from one moment to another, up to where the webhook has come.',
  body: { schema: Type.Object(replayFields), example: { event: deliveryExample.event } },
  answer: one,
  refusals: ['webhook_not_found'],
  handle: async (call) => {
    const { id, keeper } = placeIn(call)
    return { body: webhookView(await replayWebhook(call.db, keeper, id, await call.read(parseReplay))) }
  },
}
