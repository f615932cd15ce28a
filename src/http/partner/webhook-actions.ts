import { parseReplay, parseRotation } from '../../domain/webhook/webhook-body.ts'
import { pageText } from '../../operations/page.ts'
import { rotateWebhook } from '../../operations/webhook/webhook.ts'
import { findDeliveries, replayWebhook } from '../../operations/webhook/webhook-log.ts'
import { pingWebhook } from '../../operations/webhook/webhook-ping.ts'
import { Type } from '../schema.ts'
import {
  deliveryExample,
  deliveryView,
  issuedWebhookExample,
  pingExample,
  pingSchema,
  pingView,
  replayFields,
  rotationFields,
  webhookExample,
  webhookView,
} from '../webhook-view.ts'
import type { Endpoint } from './endpoint.ts'
import { common, jsonResult, loadWebhook, parsePlainBody, path, webhookOwner } from './webhooks.ts'

export const postWebhookPing: Endpoint = {
  ...common,
  method: 'POST',
  path: `${path}/ping`,
  operationId: 'pingWebhook',
  summary: 'Test a webhook',
  description: 'Sends a signed `webhook.ping` and returns the result. No body is needed; a body is ignored.',
  response: { description: 'The result of the ping.', schema: pingSchema, example: pingExample, etag: false },
  refusals: [],
  handle: async (context) => {
    await loadWebhook(context)
    context.query()
    return {
      body: JSON.stringify(
        pingView(await pingWebhook(context.db, context.partner.id, context.params.webhookId, context.send)),
      ),
    }
  },
}

export const postWebhookRotation: Endpoint = {
  ...common,
  method: 'POST',
  path: `${path}/rotate`,
  operationId: 'rotateWebhook',
  summary: 'Replace the secret of a webhook',
  description:
    'Messages are signed with both secrets for `grace_seconds`; default: a day. The new secret is shown only in this response.',
  body: { plain: true, schema: Type.Object(rotationFields), examples: { 'an hour': { grace_seconds: 3600 } } },
  response: {
    description: 'The webhook with its new secret.',
    schema: Type.Ref('IssuedWebhook'),
    example: issuedWebhookExample,
    etag: false,
  },
  refusals: [],
  handle: async (context) => {
    await loadWebhook(context)
    const grace = await parsePlainBody(context, parseRotation)
    const { webhook, secret } = await rotateWebhook(context.db, webhookOwner(context), context.params.webhookId, grace)
    return { body: JSON.stringify({ webhook: webhookView(webhook), secret }) }
  },
}

const maxDeliveries = 1000

export const listWebhookDeliveries: Endpoint = {
  ...common,
  method: 'GET',
  path: `${path}/deliveries`,
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Newest first: the last thousand attempts of thirty days. Neither events nor responses are stored.',
  query: ['limit', 'cursor'],
  response: {
    description: 'The attempts.',
    schema: Type.Array(Type.Ref('WebhookDelivery')),
    example: [deliveryExample],
    etag: true,
  },
  refusals: [],
  handle: async (context) => {
    await loadWebhook(context)
    const { limit = maxDeliveries, cursor } = context.query()
    const page = await findDeliveries(context.db, context.partner.id, context.params.webhookId, { limit, cursor })
    return context.pageResult(pageText(JSON.stringify(page.items.map(deliveryView)), page.next))
  },
}

export const postWebhookReplay: Endpoint = {
  ...common,
  method: 'POST',
  path: `${path}/replay`,
  operationId: 'replayWebhook',
  summary: 'Replay events',
  description:
    'Sends one event, a range of events, or all events of a time range again, as far as they were already sent: in order, before new events, and with the same `webhook-id`. Services of a guest are left out once the cycle of the room has ended.',
  body: {
    plain: true,
    schema: Type.Object(replayFields),
    examples: {
      'one event': { event: deliveryExample.event },
      'a night': { from: '2026-11-15T20:00:00Z', to: '2026-11-16T06:00:00Z' },
    },
  },
  response: { description: 'The webhook.', schema: Type.Ref('Webhook'), example: webhookExample, etag: true },
  refusals: [],
  handle: async (context) => {
    await loadWebhook(context)
    const order = await parsePlainBody(context, parseReplay)
    return jsonResult(
      webhookView(await replayWebhook(context.db, webhookOwner(context), context.params.webhookId, order)),
    )
  },
}
