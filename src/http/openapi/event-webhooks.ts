import { type EventType, eventTypes } from '../../domain/room/event.ts'
import { eventSchemaName } from '../partner/event-schemas.ts'
import * as examples from '../partner/examples.ts'
import { issuedWebhookExample } from '../webhook-view.ts'
import { type Json, ref } from './json-schema.ts'

/** Describes the requests that Atrium sends to webhooks, for the object `webhooks` of the OpenAPI document. */

const { cycle, id_external: area } = examples.area
const { subscription } = examples
const ofService = { cycle, id: subscription.id, service: subscription }

const dataExamples: Record<EventType, Json> = {
  'facility.created': {},
  'facility.updated': { property: 'ssid_public', old: 'Annecy Guest', new: 'Annecy Patients' },
  'facility.removed': {},
  'autocomplete_list.replaced': {
    added: [{ id_external: area, name: 'Cardiologie B-202' }],
    removed: [],
    renamed: [{ id_external: 'annecy-01-B-203', old: 'B-203', new: 'Cardiologie B-203' }],
    complete: true,
  },
  'areas.changed': { added: 2, updated: 1, removed: 0 },
  'area.opened': { cycle },
  'area.closed': { cycle },
  'area.moved': { cycle, from: area, to: 'annecy-01-B-204' },
  'services.added': { cycle, ids: [subscription.id], services: [subscription] },
  'service.changed': { ...ofService, changed: ['end'] },
  'service.deleted': { cycle, id: subscription.id },
  'service.started': ofService,
  'service.ending': ofService,
  'service.ended': ofService,
  'token.expiring': examples.me.token,
}

const aboutFacility = /^(?:facility|autocomplete_list|areas)\./

function placeOf(type: EventType): Json {
  if (type === 'token.expiring') return {}
  return { facility: 'annecy-01', ...(aboutFacility.test(type) ? {} : { area }) }
}

function eventExample(type: EventType): Json {
  const { id, occurred_at, origin } = examples.event
  return { id, type, occurred_at, ...placeOf(type), origin, data: dataExamples[type] }
}

const pingExample = {
  id: 'msg_2mXe5RkHc8PyTzWj4gq7Nd0aBcD',
  type: 'webhook.ping',
  occurred_at: examples.event.occurred_at,
  data: { webhook: issuedWebhookExample.webhook.id },
}

function header(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example }
}

/** The headers of a webhook message (Standard Webhooks), as parameters of the OpenAPI document. */
export const webhookHeaders: Json = {
  'webhook-id': header('webhook-id', 'Id of the message, the same for each attempt.', pingExample.id),
  'webhook-timestamp': header('webhook-timestamp', 'When it was sent, in Unix seconds.', '1794571331'),
  'webhook-signature': header(
    'webhook-signature',
    'Signatures over id, timestamp and body, separated by spaces; two during a rotation of the secret.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}

const responses = {
  '2XX': { description: 'The receiver accepts the message.' },
  410: { description: 'The receiver is gone: the webhook is disabled at once.' },
  default: { description: 'Any other response is a failure, and the message is sent again later.' },
}

function messageOf(type: string, schema: string, summary: string, example: Json): Json {
  const operation = {
    operationId: `receive${schema}`,
    tags: ['Webhooks'],
    summary,
    description: 'Sent to the webhooks that subscribe to this type. Respond within 15 seconds.',
    security: [],
    parameters: Object.keys(webhookHeaders).map((name) => ref('parameters', name)),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref('schemas', schema), example } },
    },
    responses,
  }
  return { [type]: { post: operation } }
}

export function eventWebhooks(): Json {
  const events = eventTypes.map((type) => messageOf(type, eventSchemaName(type), `Receive ${type}`, eventExample(type)))
  const ping = messageOf('webhook.ping', 'WebhookPing', 'Receive a test message', pingExample)
  return Object.assign({}, ...events, ping)
}
