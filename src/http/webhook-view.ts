import { eventTypes } from '../domain/room/event.ts'
import { type Delivery, type DeliveryResult, stateOf, type Webhook } from '../domain/webhook/webhook.ts'
import type { LoggedDelivery } from '../storage/webhook/webhook-delivery.ts'
import { type ObjectSchema, Type } from './schema.ts'
import { count, dateTime, flag, nullableText, nullableTime, text, uuid } from './schema-parts.ts'

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

/** Returns a delivery for operators, with what partners do not see: facility, room and the receiver's response. */
export function operatorDeliveryView(delivery: LoggedDelivery) {
  const { facility, area, response } = delivery
  return { ...deliveryView(delivery), facility, area, response }
}

export function deliveryView({ event, type, attempt, at, status, durationMs, error }: Delivery) {
  return { event, type, attempt, at, status, duration_ms: durationMs, error }
}

export const webhookFields: ObjectSchema = Type.Object({
  url: Type.String({ format: 'uri', maxLength: 2048, description: 'The HTTPS address to which events are sent.' }),
  types: Type.Union([Type.Literal('*'), Type.Array(Type.Enum(eventTypes))], {
    description: 'The event types to send, or `*` for all, including types added later.',
  }),
  own: flag("Whether to send events about the partner's own changes too."),
})

export const active = flag('`false` disables the webhook, `true` enables it again.')

const WebhookSchema = Type.Object(
  {
    id: uuid('Identifier.'),
    ...webhookFields.properties,
    state: Type.Enum(['active', 'failing', 'disabled'], {
      description: '`failing`: the last attempt failed and is retried; `disabled`: nothing is sent.',
    }),
    disabled_at: nullableTime('When the webhook was disabled.'),
    disabled_reason: {
      type: ['string', 'null'],
      enum: ['switched_off', 'gone', 'failed', null],
      description:
        '`switched_off` by the partner or an operator, `gone` after a response of 410, `failed` after three days of failures.',
    },
    failing_since: nullableTime('When the current series of failures began.'),
    next_attempt_at: nullableTime('When the next attempt is due.'),
    date_created: dateTime('When the webhook was created.'),
    date_updated: dateTime('When the webhook was last changed.'),
  },
  { $id: 'Webhook', description: 'An address to which events are sent.' },
)

const IssuedWebhook = Type.Object(
  {
    webhook: Type.Ref('Webhook'),
    secret: Type.String({
      pattern: '^whsec_',
      description: 'The secret that signs messages. It is shown only in this response.',
    }),
  },
  { $id: 'IssuedWebhook', description: 'A webhook with its new secret.' },
)

const WebhookDelivery = Type.Object(
  {
    event: text('Id of the event.'),
    type: text('Type of the event.'),
    attempt: Type.Integer({
      minimum: 1,
      description: 'Number of the attempt, from 1. A manual one has the number of the scheduled one that follows.',
    }),
    at: dateTime('When the attempt ended.'),
    status: { type: ['integer', 'null'], description: 'HTTP status of the response; null when there was none.' },
    duration_ms: count('Duration in milliseconds.'),
    error: nullableText('Why the attempt failed; null when it succeeded.'),
  },
  { $id: 'WebhookDelivery', description: 'One attempt to send an event.' },
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
  delivered: flag('Whether the receiver accepted the ping.'),
  status: status ?? {},
  duration_ms: duration_ms ?? {},
  error: error ?? {},
})

export const pingExample = { delivered: false, status: 404, duration_ms: 84, error: 'response status 404' }

export const rotationFields = {
  grace_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      description: 'For how many seconds messages are also signed with the old secret.',
    }),
  ),
}

export const replayFields = {
  event: Type.Optional(text('Id of the one event to send.')),
  from_event: Type.Optional(text('Id of the first event of a range.')),
  to_event: Type.Optional(text('Id of the last event of the range; default: all that follow.')),
  from: Type.Optional(dateTime('Start of a time range, included.')),
  to: Type.Optional(dateTime('End of the time range, excluded; default: now.')),
}
