import { eventTypes } from '../domain/room/event.ts'
import { type Delivery, type DeliveryResult, stateOf, type Webhook } from '../domain/webhook/webhook.ts'
import { type ObjectSchema, Type } from './schema.ts'

export function webhookView(webhook: Webhook) {
  const state = stateOf(webhook)
  return {
    id: webhook.id,
    url: webhook.url,
    types: webhook.types,
    own: webhook.own,
    state,
    disabled_at: webhook.disabledAt,
    disabled_reason: webhook.disabledReason,
    failing_since: webhook.failingSince,
    next_attempt_at: state === 'failing' ? webhook.nextAt : null,
    date_created: webhook.dateCreated,
    date_updated: webhook.dateUpdated,
  }
}

/** Includes the webhook's response, which only operators see. */
export function operatorDeliveryView(delivery: Delivery) {
  return { ...deliveryView(delivery), response: delivery.response }
}

export function deliveryView({ event, type, attempt, at, status, durationMs, error }: Delivery) {
  return { event, type, attempt, at, status, duration_ms: durationMs, error }
}

const nullableTime = (description: string) => ({ type: ['string', 'null'], format: 'date-time', description })
const time = (description: string) => Type.String({ format: 'date-time', description })

/** The fields that callers can set. */
export const webhookFields: ObjectSchema = Type.Object({
  url: Type.String({ format: 'uri', maxLength: 2048, description: 'Where events are sent, by HTTPS.' }),
  types: Type.Union([Type.Literal('*'), Type.Array(Type.Enum(eventTypes))], {
    description: 'The types of events that are sent, or `*` for all, those to come included.',
  }),
  own: Type.Boolean({ description: "Whether the partner's own changes are sent too." }),
})

export const active = Type.Boolean({ description: 'Whether anything is sent; `true` switches it on again.' })

const WebhookSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Identifier.' }),
    ...webhookFields.properties,
    state: Type.Enum(['active', 'failing', 'disabled'], {
      description: '`failing` is tried again, `disabled` is not.',
    }),
    disabled_at: nullableTime('Since when nothing is sent.'),
    disabled_reason: {
      type: ['string', 'null'],
      enum: ['switched_off', 'gone', 'failed', null],
      description: '`gone` after an answer of 410, `failed` after three days of failure.',
    },
    failing_since: nullableTime('When the first of the failures came that go on.'),
    next_attempt_at: nullableTime('When it is tried again.'),
    date_created: time('When it was made.'),
    date_updated: time('When it was last changed.'),
  },
  { $id: 'Webhook', description: 'An address to which events are sent.' },
)

const IssuedWebhook = Type.Object(
  {
    webhook: Type.Ref('Webhook'),
    secret: Type.String({ pattern: '^whsec_', description: 'What messages are signed with. It is shown this once.' }),
  },
  { $id: 'IssuedWebhook', description: 'A webhook with its new secret.' },
)

const WebhookDelivery = Type.Object(
  {
    event: Type.String({ description: 'Id of the event.' }),
    type: Type.String({ description: 'Its type.' }),
    attempt: Type.Integer({ minimum: 1, description: 'The how manieth try it was.' }),
    at: time('When it ended.'),
    status: { type: ['integer', 'null'], description: 'What was answered; null where nothing was.' },
    duration_ms: Type.Integer({ minimum: 0, description: 'How long it took.' }),
    error: { type: ['string', 'null'], description: 'What went wrong; null when it was taken.' },
  },
  { $id: 'WebhookDelivery', description: 'One try to send an event.' },
)

export const webhookSchemas = { Webhook: WebhookSchema, IssuedWebhook, WebhookDelivery }

export const webhookExample = {
  id: '019a8b2e-9d00-7c44-8e11-2a3b4c5d6e7f',
  url: 'https://receiver.example/atrium',
  types: ['area.opened', 'area.closed'],
  own: false,
  state: 'active',
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
  next_attempt_at: null,
  date_created: '2026-11-15T08:30:00.000Z',
  date_updated: '2026-11-15T08:30:00.000Z',
}

export const issuedWebhookExample = {
  webhook: webhookExample,
  secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
}

export const deliveryExample = {
  event: 'q3Jx0mN8s1uVbK2dY7eTzA',
  type: 'area.opened',
  attempt: 1,
  at: '2026-11-15T08:31:04.210Z',
  status: 200,
  duration_ms: 84,
  error: null,
}

export const newWebhookExample = { url: webhookExample.url, types: webhookExample.types }

export function pingView({ status, durationMs, error }: DeliveryResult) {
  return { delivered: error === null, status, duration_ms: durationMs, error }
}

const { status, duration_ms, error } = WebhookDelivery.properties

export const pingSchema = Type.Object({
  delivered: Type.Boolean({ description: 'Whether it was taken.' }),
  status: status ?? {},
  duration_ms: duration_ms ?? {},
  error: error ?? {},
})

export const pingExample = { delivered: false, status: 404, duration_ms: 84, error: 'answered 404' }

export const rotationFields = {
  grace_seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 604_800, description: 'How long the old secret signs too.' }),
  ),
}

export const replayFields = {
  event: Type.Optional(Type.String({ description: 'Id of an event.' })),
  from_event: Type.Optional(Type.String({ description: 'Id of the first event of several.' })),
  to_event: Type.Optional(Type.String({ description: 'Id of the last; all that follow without it.' })),
  from: Type.Optional(time('The moment from which on.')),
  to: Type.Optional(time('The moment before which; now without it.')),
}
