import { addSubscriptions, removeSubscription } from '../../../operations/room.ts'
import { needToReadServices, readSubscriptions } from '../../../operations/room-view.ts'
import { Type } from '../../schema.ts'
import type { Endpoint } from '../endpoint.ts'
import * as examples from '../examples.ts'
import { bodyHashOf, replayHeader, requireChange } from './room.ts'

export const subscriptionsPath = '/v1/areas/{areaExternalId}/data_services'
const path = subscriptionsPath
const subscriptions = Type.Array(Type.Ref('Subscription'))
export const services = Type.Object({ data_services: subscriptions })
export const info = Type.String({ description: 'A message for people.' })

export const getSubscriptions: Endpoint = {
  method: 'GET',
  path,
  operationId: 'listRoomServices',
  tag: 'Room services',
  summary: 'Get the subscriptions of a room',
  description: "The subscriptions of the room's current cycle, oldest first.",
  needs: needToReadServices,
  query: ['active_at'],
  response: {
    description: 'The subscriptions.',
    schema: Type.Object({ data_services: subscriptions }),
    example: { data_services: [examples.subscription] },
    etag: true,
  },
  refusals: ['room_services_unsupported'],
  handle: async (context) => {
    const { areaExternalId } = context.params
    const { json, etag } = await readSubscriptions(context.db, context.partner, areaExternalId, context.query)
    return { body: json, etag }
  },
}

export const postSubscriptions: Endpoint = {
  method: 'POST',
  path,
  operationId: 'addRoomServices',
  tag: 'Room services',
  summary: 'Add subscriptions to a room',
  description:
    'Appends subscriptions, all or none. `value` is a string that holds a serialized JSON array of objects: a legacy format that stays in `/v1`. Each subscription needs a `code`. `start` and `end` are returned in UTC (ISO 8601); times without an offset are in the time zone of the facility.',
  needs: { rooms: 'services' },
  query: [],
  conditional: 'area',
  cycle: true,
  idempotent: true,
  body: {
    schema: Type.Object({
      value: Type.String({
        description: 'A serialized JSON array of subscription objects.',
        contentMediaType: 'application/json',
        contentSchema: Type.Array(Type.Ref('SubscriptionDraft')),
      }),
    }),
    examples: {
      'one service': {
        value: '[{"code":"tv-premium","label":"Premium TV","start":"2026-11-15T08:30:00Z","end":"2026-11-22"}]',
      },
      nothing: { value: '[]' },
    },
  },
  response: {
    description: "All of the room's subscriptions, oldest first.",
    schema: Type.Object({ info, services }),
    example: {
      info: 'Services were added to room annecy-01-B-202.',
      services: { data_services: [examples.subscription] },
    },
    etag: true,
  },
  refusals: [
    'room_services_unsupported',
    'value_not_string',
    'value_not_json',
    'value_not_array',
    'item_not_object',
    'item_invalid',
    'limit_exceeded',
  ],
  handle: async (context) => {
    const { db, partner, limits } = context
    const change = await requireChange(context, { rooms: 'services' })
    const body = await context.body()
    const rules = { form: 'legacy', timezone: change.facility.timezone, contract: partner.contract, limits } as const
    const drafts = await context.bodyParser.parseServices(partner.id, body, rules)
    const addition = { drafts, bodyHash: bodyHashOf(change.key, body), limits, endingSeconds: context.endingSeconds }
    const { services: all, etag, replayed } = await addSubscriptions(db, context.caller, change, addition)
    const info = `${drafts.length === 0 ? 'No services' : 'Services'} were added to room ${change.area}.`
    const json = `{"info":${JSON.stringify(info)},"services":{"data_services":${all}}}`
    return { body: json, etag, headers: replayHeader(replayed) }
  },
}

export const deleteSubscription: Endpoint = {
  method: 'DELETE',
  path: `${path}/{serviceId}`,
  operationId: 'deleteRoomService',
  tag: 'Room services',
  summary: 'Delete a subscription from a room',
  description: 'Removes one subscription of the current cycle.',
  needs: { rooms: 'services' },
  query: [],
  conditional: 'area',
  cycle: true,
  response: {
    description: 'The deleted id and the remaining subscriptions.',
    schema: Type.Object({ info, id: Type.String(), remaining_services: subscriptions }),
    example: {
      info: 'The service was deleted from room annecy-01-B-202.',
      id: examples.subscription.id,
      remaining_services: [],
    },
    etag: true,
  },
  refusals: ['room_services_unsupported', 'service_not_found'],
  handle: async (context) => {
    const { serviceId: id } = context.params
    const change = await requireChange(context, { rooms: 'services' })
    const { services: left, etag } = await removeSubscription(context.db, context.caller, change, id)
    const info = JSON.stringify(`The service was deleted from room ${change.area}.`)
    return { body: `{"info":${info},"id":${JSON.stringify(id)},"remaining_services":${left}}`, etag }
  },
}
