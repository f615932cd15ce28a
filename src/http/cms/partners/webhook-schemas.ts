import { Type } from '../../schema.ts'
import { deliveryExample, webhookExample, webhookSchemas } from '../../webhook-view.ts'
import { nullableText } from '../schema-parts.ts'

const { WebhookDelivery: ofPartners, Webhook } = webhookSchemas

const WebhookDelivery = Type.Object(
  {
    ...ofPartners.properties,
    response: nullableText(
      'The first 1,024 bytes of the response body; stored for the last attempt only, if it failed and was not about the services of a guest.',
    ),
  },
  { $id: 'WebhookDelivery', description: 'One attempt to send an event.' },
)

const WebhookWithAttempt = Type.Object(
  {
    ...Webhook.properties,
    last_attempt: Type.Union([Type.Ref('WebhookDelivery'), Type.Null()], {
      description: 'The last attempt; null if nothing was sent yet.',
    }),
  },
  { $id: 'WebhookWithAttempt', description: 'A webhook with its last attempt.' },
)

export const operatorWebhookSchemas = { ...webhookSchemas, WebhookDelivery, WebhookWithAttempt }

export const operatorDeliveryExample = { ...deliveryExample, response: null }

export const failedDeliveryExample = {
  ...deliveryExample,
  status: 500,
  error: 'response status 500',
  response: 'upstream connect error',
}

export const webhookWithAttemptExample = {
  ...webhookExample,
  state: 'failing',
  failing_since: '2026-11-15T08:31:04.210Z',
  next_attempt_at: '2026-11-15T08:31:09.700Z',
  last_attempt: failedDeliveryExample,
}
