import { requireCurrent } from '../../domain/precondition.ts'
import { represent } from '../../domain/representation.ts'
import { decodeJson } from '../../domain/room/legacy-body.ts'
import type { Webhook } from '../../domain/webhook/webhook.ts'
import { parseNewWebhook, parseWebhookChange } from '../../domain/webhook/webhook-body.ts'
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
import type { Endpoint, PartnerContext } from './endpoint.ts'

export const common = { tag: 'Webhooks', needs: 'none', right: 'webhooks', query: [] } as const
export const path = '/v1/webhooks/{webhookId}'
const one = { description: 'The webhook.', schema: Type.Ref('Webhook'), example: webhookExample, etag: true }

export const jsonResult = (value: unknown): EndpointResult => {
  const { json, etag } = represent(value)
  return { body: json, etag }
}

/** Reads a JSON body without the `value` of a legacy body around it. Called after the permission check. */
export async function parsePlainBody<T>(context: PartnerContext, parse: (value: unknown) => T): Promise<T> {
  context.query()
  return parse(decodeJson(await context.body(), context.limits.jsonDepth))
}

export function webhookOwner({ partner, caller }: PartnerContext) {
  return { partner: partner.id, actor: caller.actor }
}

const requireIfMatch = (context: PartnerContext) => (current: Webhook) =>
  requireCurrent(context.precondition, JSON.stringify(webhookView(current)))

export function loadWebhook({ db, partner, params }: PartnerContext): Promise<Webhook> {
  return readWebhook(db, partner.id, params.webhookId)
}

export const listWebhooks: Endpoint = {
  ...common,
  method: 'GET',
  path: '/v1/webhooks',
  operationId: 'listWebhooks',
  summary: 'List the webhooks',
  description: 'The webhooks of the partner with their state, oldest first. Secrets are not shown.',
  response: {
    ...one,
    description: 'The webhooks.',
    schema: Type.Array(Type.Ref('Webhook')),
    example: [webhookExample],
  },
  refusals: [],
  handle: async (context) => {
    context.query()
    return jsonResult((await findWebhooks(context.db, context.partner.id)).map(webhookView))
  },
}

export const postWebhook: Endpoint = {
  ...common,
  method: 'POST',
  path: '/v1/webhooks',
  operationId: 'createWebhook',
  summary: 'Add a webhook',
  description:
    'Sends a signed `webhook.ping` to the address, and creates the webhook if the response is 2xx within five seconds. It receives events from then on. The secret is shown only in this response. A partner can have ten webhooks, each with another address, so a repeated request adds nothing.',
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
  handle: async (context) => {
    const order = await parsePlainBody(context, parseNewWebhook)
    const { webhook, secret } = await createWebhook(context.db, webhookOwner(context), order, context.send)
    return { body: JSON.stringify({ webhook: webhookView(webhook), secret }) }
  },
}

export const getWebhook: Endpoint = {
  ...common,
  method: 'GET',
  path,
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  description: 'One webhook with its state.',
  response: one,
  refusals: [],
  handle: async (context) => {
    const webhook = await loadWebhook(context)
    context.query()
    return jsonResult(webhookView(webhook))
  },
}

export const patchWebhook: Endpoint = {
  ...common,
  method: 'PATCH',
  path,
  operationId: 'changeWebhook',
  summary: 'Change a webhook',
  description:
    'Properties that are left out stay. A new address must accept a ping first. `active: true` enables a disabled webhook: events that have happened meanwhile are then sent.',
  conditional: 'webhook',
  body: {
    plain: true,
    schema: Type.Partial(Type.Object({ ...webhookFields.properties, active })),
    examples: { 'other types': { types: '*' }, 'on again': { active: true } },
  },
  response: one,
  refusals: ['webhook_exists', 'webhook_unreachable'],
  handle: async (context) => {
    const { db, params, send } = context
    const expect = requireIfMatch(context)
    expect(await loadWebhook(context))
    const change = await parsePlainBody(context, parseWebhookChange)
    return jsonResult(
      webhookView(await changeWebhook(db, webhookOwner(context), params.webhookId, { change, expect, send })),
    )
  },
}

export const deleteWebhook: Endpoint = {
  ...common,
  method: 'DELETE',
  path,
  operationId: 'deleteWebhook',
  summary: 'Remove a webhook',
  description: 'Removes the webhook with its log. Nothing more is sent to it.',
  conditional: 'webhook',
  response: { ...one, description: 'The webhook before the removal.', etag: false },
  refusals: [],
  handle: async (context) => {
    const expect = requireIfMatch(context)
    expect(await loadWebhook(context))
    context.query()
    const webhook = await removeWebhook(context.db, webhookOwner(context), context.params.webhookId, expect)
    return { body: JSON.stringify(webhookView(webhook)) }
  },
}
