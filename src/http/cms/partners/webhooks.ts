import type { Webhook } from '../../../domain/webhook/webhook.ts'
import { parseNewWebhook, parseWebhookChange } from '../../../domain/webhook/webhook-body.ts'
import { changeWebhook, createWebhook, readWebhook, removeWebhook } from '../../../operations/webhook/webhook.ts'
import { findWithAttempts, type WebhookWithAttempt } from '../../../operations/webhook/webhook-log.ts'
import { Type } from '../../schema.ts'
import { nullableText } from '../../schema-parts.ts'
import {
  active,
  deliveryExample,
  issuedWebhookExample,
  newWebhookExample,
  operatorDeliveryView,
  webhookExample,
  webhookFields,
  webhookSchemas,
  webhookView,
} from '../../webhook-view.ts'
import type { CmsContext, OperatorEndpoint } from '../endpoint.ts'

const DeliverySchema = Type.Object(
  {
    ...webhookSchemas.WebhookDelivery.properties,
    facility: nullableText(
      'The facility of the event; null for an event of the partner, and if the audit log no longer has the change.',
    ),
    area: nullableText('Full id of the room of the event; null for other events.'),
    response: nullableText(
      'The first 1,024 bytes of the response body; stored for the last attempt only, if it failed and was not about the services of a guest.',
    ),
  },
  { $id: 'WebhookDelivery', description: 'One attempt to send an event.' },
)

const WithAttemptSchema = Type.Object(
  {
    ...webhookSchemas.Webhook.properties,
    last_attempt: Type.Union([Type.Ref('WebhookDelivery'), Type.Null()], {
      description: 'The last attempt; null if nothing was sent yet.',
    }),
  },
  { $id: 'WebhookWithAttempt', description: 'A webhook with its last attempt.' },
)

export const operatorWebhookSchemas = {
  ...webhookSchemas,
  WebhookDelivery: DeliverySchema,
  WebhookWithAttempt: WithAttemptSchema,
}

export const operatorDeliveryExample = { ...deliveryExample, facility: 'lyon-01', area: 'lyon-01-101', response: null }

const failedDeliveryExample = {
  ...operatorDeliveryExample,
  status: 500,
  error: 'response status 500',
  response: 'upstream connect error',
}

const webhookWithAttemptExample = {
  ...webhookExample,
  state: 'failing',
  failing_since: '2026-11-15T08:31:04.210Z',
  next_attempt_at: '2026-11-15T08:31:09.700Z',
  last_attempt: failedDeliveryExample,
}

export const common = { tag: 'Partners' } as const
export const path = '/cms/v1/partners/{partnerId}/webhooks/{webhookId}'
export const one = { description: 'The webhook.', schema: Type.Ref('Webhook'), example: webhookExample }
export const issued = {
  description: 'The webhook with its secret.',
  schema: Type.Ref('IssuedWebhook'),
  example: issuedWebhookExample,
}

export function webhookIds({ params, actor }: Pick<CmsContext, 'params' | 'actor'>) {
  const { partnerId: partner, webhookId: id } = params
  return { partner, id, owner: { partner, actor } }
}

export function withAttemptView({ lastAttempt, ...webhook }: WebhookWithAttempt) {
  return { ...webhookView(webhook), last_attempt: lastAttempt ? operatorDeliveryView(lastAttempt) : null }
}

export const listWebhooks: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path: '/cms/v1/partners/{partnerId}/webhooks',
  operationId: 'listWebhooks',
  summary: "List a partner's webhooks",
  description: 'The oldest first, with state and last attempt. Secrets are not shown.',
  response: {
    description: 'The webhooks.',
    schema: Type.Array(Type.Ref('WebhookWithAttempt')),
    example: [webhookWithAttemptExample],
  },
  refusals: ['partner_not_found'],
  handle: async (context) => ({
    body: (await findWithAttempts(context.db, webhookIds(context).partner)).map(withAttemptView),
  }),
}

export const postWebhook: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: '/cms/v1/partners/{partnerId}/webhooks',
  operationId: 'createWebhook',
  summary: 'Add a webhook',
  description:
    'Also for a partner that manages its own. The webhook is created if it responds to a signed ping with 2xx within five seconds. The secret is shown only in this response.',
  body: {
    schema: Type.Object({ ...webhookFields.properties, own: Type.Optional(webhookFields.properties.own ?? {}) }),
    example: newWebhookExample,
  },
  response: issued,
  refusals: ['partner_not_found', 'webhook_exists', 'webhook_unreachable', 'limit_exceeded'],
  handle: async (context) => {
    const order = await context.read(parseNewWebhook)
    const { webhook, secret } = await createWebhook(context.db, webhookIds(context).owner, order, context.send)
    return { body: { webhook: webhookView(webhook), secret } }
  },
}

export const getWebhook: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path,
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  description: 'With its state.',
  response: one,
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { partner, id } = webhookIds(context)
    return { body: webhookView(await readWebhook(context.db, partner, id)) }
  },
}

export const patchWebhook: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'PATCH',
  path,
  operationId: 'changeWebhook',
  summary: 'Change a webhook',
  description: 'Properties that are left out stay. `active: true` enables a webhook, no matter who disabled it.',
  conditional: true,
  body: {
    schema: Type.Partial(Type.Object({ ...webhookFields.properties, active })),
    example: { active: true },
  },
  response: one,
  refusals: ['webhook_not_found', 'webhook_exists', 'webhook_unreachable'],
  handle: async (context) => {
    const { id, owner } = webhookIds(context)
    const change = await context.read(parseWebhookChange)
    const expect = context.expects<Webhook>(webhookView)
    return { body: webhookView(await changeWebhook(context.db, owner, id, { change, expect, send: context.send })) }
  },
}

export const deleteWebhook: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'DELETE',
  path,
  operationId: 'removeWebhook',
  summary: 'Remove a webhook',
  description: 'With its log. Nothing more is sent to it.',
  conditional: true,
  response: { ...one, description: 'The webhook as it was.' },
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { id, owner } = webhookIds(context)
    return { body: webhookView(await removeWebhook(context.db, owner, id, context.expects<Webhook>(webhookView))) }
  },
}
