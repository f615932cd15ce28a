import { demandCurrent } from '../../domain/precondition.ts'
import { represent } from '../../domain/representation.ts'
import { decodeJson } from '../../domain/room/legacy-body.ts'
import type { Webhook } from '../../domain/webhook/webhook.ts'
import { parseNewWebhook, parseWebhookChange } from '../../domain/webhook/webhook-order.ts'
import {
  changeWebhook,
  createWebhook,
  findWebhooks,
  readWebhook,
  removeWebhook,
} from '../../operations/webhook/webhook.ts'
import type { EndpointResult } from '../pipeline/render.ts'
import { Type } from '../schema.ts'
import {
  active,
  issuedWebhookExample,
  newWebhookExample,
  webhookExample,
  webhookFields,
  webhookView,
} from '../webhook-view.ts'
import type { Call, Endpoint } from './endpoint.ts'

export const common = { tag: 'Webhooks', needs: 'none', right: 'webhooks', query: [] } as const
export const path = '/v1/webhooks/{webhookId}'
const one = { description: 'The webhook.', schema: Type.Ref('Webhook'), example: webhookExample, etag: true }

export const shown = (value: unknown): EndpointResult => {
  const { json, etag } = represent(value)
  return { body: json, etag }
}

/** A plain object, once the caller is known to be allowed. */
export async function bodyOf<T>(call: Call, parse: (value: unknown) => T): Promise<T> {
  call.query()
  return parse(decodeJson(await call.body(), call.limits.jsonDepth))
}

export function keeperOf({ partner, caller }: Call) {
  return { partner: partner.id, actor: caller.actor }
}

const expected = (call: Call) => (current: Webhook) =>
  demandCurrent(call.precondition, JSON.stringify(webhookView(current)))

export function found({ db, partner, params }: Call): Promise<Webhook> {
  return readWebhook(db, partner.id, params.webhookId)
}

export const listWebhooks: Endpoint = {
  ...common,
  method: 'GET',
  path: '/v1/webhooks',
  operationId: 'listWebhooks',
  summary: 'List the webhooks',
  description: 'Those of the partner, the oldest first, with the state they are in. Secrets are not shown.',
  response: {
    ...one,
    description: 'The webhooks.',
    schema: Type.Array(Type.Ref('Webhook')),
    example: [webhookExample],
  },
  refusals: [],
  handle: async (call) => {
    call.query()
    return shown((await findWebhooks(call.db, call.partner.id)).map(webhookView))
  },
}

export const postWebhook: Endpoint = {
  ...common,
  method: 'POST',
  path: '/v1/webhooks',
  operationId: 'createWebhook',
  summary: 'Add a webhook',
  description:
    'The address is sent a signed `webhook.ping` at once, and kept if it answers 2xx within five seconds. It gets what happens from then on. The secret is in this answer and nowhere else. A partner has at most ten; each address is there once, so that a repeated request adds nothing.',
  body: {
    plain: true,
    schema: Type.Object({ ...webhookFields.properties, own: Type.Optional(webhookFields.properties.own ?? {}) }),
    examples: { rooms: newWebhookExample, everything: { url: webhookExample.url, types: '*', own: true } },
  },
  response: {
    description: 'The webhook with its secret.',
    schema: Type.Ref('IssuedWebhook'),
    example: issuedWebhookExample,
    etag: false,
  },
  refusals: ['webhook_exists', 'webhook_unreachable', 'limit_exceeded'],
  handle: async (call) => {
    const order = await bodyOf(call, parseNewWebhook)
    const { webhook, secret } = await createWebhook(call.db, keeperOf(call), order, call.send)
    return { body: JSON.stringify({ webhook: webhookView(webhook), secret }) }
  },
}

export const getWebhook: Endpoint = {
  ...common,
  method: 'GET',
  path,
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  description: 'With the state it is in.',
  response: one,
  refusals: [],
  handle: async (call) => {
    const webhook = await found(call)
    call.query()
    return shown(webhookView(webhook))
  },
}

export const patchWebhook: Endpoint = {
  ...common,
  method: 'PATCH',
  path,
  operationId: 'changeWebhook',
  summary: 'Change a webhook',
  description:
    'What is not named stays. Another address has to answer a ping first. `active: true` switches on what was switched off: what happened meanwhile is sent then.',
  conditional: 'webhook',
  body: {
    plain: true,
    schema: Type.Partial(Type.Object({ ...webhookFields.properties, active })),
    examples: { 'other types': { types: '*' }, 'on again': { active: true } },
  },
  response: one,
  refusals: ['webhook_exists', 'webhook_unreachable'],
  handle: async (call) => {
    const { db, params, send } = call
    const expect = expected(call)
    expect(await found(call))
    const change = await bodyOf(call, parseWebhookChange)
    return shown(webhookView(await changeWebhook(db, keeperOf(call), params.webhookId, { change, expect, send })))
  },
}

export const deleteWebhook: Endpoint = {
  ...common,
  method: 'DELETE',
  path,
  operationId: 'deleteWebhook',
  summary: 'Remove a webhook',
  description: 'With its log. Nothing more is sent there.',
  conditional: 'webhook',
  response: { ...one, description: 'The webhook as it was.', etag: false },
  refusals: [],
  handle: async (call) => {
    const expect = expected(call)
    expect(await found(call))
    call.query()
    const webhook = await removeWebhook(call.db, keeperOf(call), call.params.webhookId, expect)
    return { body: JSON.stringify(webhookView(webhook)) }
  },
}
