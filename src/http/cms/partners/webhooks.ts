import type { Webhook } from '../../../domain/webhook/webhook.ts'
import { parseNewWebhook, parseWebhookChange } from '../../../domain/webhook/webhook-body.ts'
import { changeWebhook, createWebhook, readWebhook, removeWebhook } from '../../../operations/webhook/webhook.ts'
import { findWithAttempts, type WebhookWithAttempt } from '../../../operations/webhook/webhook-log.ts'
import { Type } from '../../schema.ts'
import {
  active,
  issuedWebhookExample,
  newWebhookExample,
  operatorDeliveryView,
  webhookExample,
  webhookFields,
  webhookView,
} from '../../webhook-view.ts'
import type { CmsContext, OperatorEndpoint } from '../endpoint.ts'
import { webhookWithAttemptExample } from './webhook-schemas.ts'

export const common = { tag: 'Partners' } as const
export const path = '/cms/v1/partners/{partnerId}/webhooks/{webhookId}'
export const one = { description: 'The webhook.', schema: Type.Ref('Webhook'), example: webhookExample }
export const issued = {
  description: 'The webhook with its secret.',
  schema: Type.Ref('IssuedWebhook'),
  example: issuedWebhookExample,
}

/** Whose webhooks they are, which one, and who asks. */
export function placeIn({ params, actor }: Pick<CmsContext, 'params' | 'actor'>) {
  const { partnerId: partner = '', webhookId: id = '' } = params
  return { partner, id, keeper: { partner, actor } }
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
  description: 'The oldest first, with the state they are in and the last attempt to send. Secrets are not shown.',
  response: {
    description: 'The webhooks.',
    schema: Type.Array(Type.Ref('WebhookWithAttempt')),
    example: [webhookWithAttemptExample],
  },
  refusals: ['partner_not_found'],
  handle: async (context) => ({
    body: (await findWithAttempts(context.db, placeIn(context).partner)).map(withAttemptView),
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
    'For a partner that keeps its own or not. It is kept if it answers a signed ping 2xx within five seconds. The secret is in this answer and nowhere else.',
  body: {
    schema: Type.Object({ ...webhookFields.properties, own: Type.Optional(webhookFields.properties.own ?? {}) }),
    example: newWebhookExample,
  },
  response: issued,
  refusals: ['partner_not_found', 'webhook_exists', 'webhook_unreachable', 'limit_exceeded'],
  handle: async (context) => {
    const order = await context.read(parseNewWebhook)
    const { webhook, secret } = await createWebhook(context.db, placeIn(context).keeper, order, context.send)
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
  description: 'With the state it is in.',
  response: one,
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { partner, id } = placeIn(context)
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
  description: 'What is not named stays. `active: true` switches on what was switched off, by whomever.',
  conditional: true,
  body: {
    schema: Type.Partial(Type.Object({ ...webhookFields.properties, active })),
    example: { active: true },
  },
  response: one,
  refusals: ['webhook_not_found', 'webhook_exists', 'webhook_unreachable'],
  handle: async (context) => {
    const { id, keeper } = placeIn(context)
    const change = await context.read(parseWebhookChange)
    const expect = context.expects<Webhook>(webhookView)
    return { body: webhookView(await changeWebhook(context.db, keeper, id, { change, expect, send: context.send })) }
  },
}

export const deleteWebhook: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'DELETE',
  path,
  operationId: 'removeWebhook',
  summary: 'Remove a webhook',
  description: 'With its log. Nothing more is sent there.',
  conditional: true,
  response: { ...one, description: 'The webhook as it was.' },
  refusals: ['webhook_not_found'],
  handle: async (context) => {
    const { id, keeper } = placeIn(context)
    return { body: webhookView(await removeWebhook(context.db, keeper, id, context.expects<Webhook>(webhookView))) }
  },
}
