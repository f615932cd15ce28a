import { type ContractRules, changeSubscription, replaceSubscriptions } from '../../../operations/room.ts'
import { mergePatchType } from '../../pipeline/body.ts'
import { Type } from '../../schema.ts'
import type { Endpoint, PartnerContext } from '../endpoint.ts'
import * as examples from '../examples.ts'
import { bodyHashOf, replayHeader, requireChange } from './room.ts'
import { info, services, subscriptionsPath } from './subscriptions.ts'

export const patchSubscription: Endpoint = {
  method: 'PATCH',
  path: `${subscriptionsPath}/{serviceId}`,
  operationId: 'changeRoomService',
  tag: 'Room services',
  summary: 'Change a subscription of a room',
  description:
    'A JSON Merge Patch (RFC 7396) of one subscription of the current cycle: what is not named stays, `null` removes. Its id, its place and its `code` stay. The result is checked as a whole. A patch that changes nothing succeeds and writes nothing.',
  needs: { rooms: 'services' },
  query: [],
  conditional: 'area',
  cycle: true,
  body: {
    plain: true,
    or: mergePatchType,
    schema: Type.Ref('SubscriptionPatch'),
    examples: { 'two days longer': { end: '2026-11-24' }, 'no end': { end: null, status: 'extended' } },
  },
  response: {
    description: "The id of the subscription and all of the room's subscriptions, oldest first.",
    schema: Type.Object({ info, id: Type.String(), services }),
    example: {
      info: 'The service in room annecy-01-B-202 was changed.',
      id: examples.subscription.id,
      services: { data_services: [examples.subscription] },
    },
    etag: true,
  },
  refusals: ['room_services_unsupported', 'service_not_found', 'item_invalid', 'limit_exceeded'],
  handle: async (context) => {
    const { db, partner, limits } = context
    const { serviceId: id } = context.params
    const change = await requireChange(context, { rooms: 'services' })
    const { timezone } = change.facility
    const rules = { timezone, limits }
    const parsing = { form: 'patch', ...rules, contract: null } as const
    const patch = await context.bodyParser.parseServices(partner.id, await context.body(), parsing)
    const order = { id, patch, rules }
    const checks = contractRules(context, timezone)
    const result = await changeSubscription(db, context.caller, change, order, checks)
    const text = JSON.stringify(`The service in room ${change.area} was ${result.isChanged ? '' : 'not '}changed.`)
    const body = `{"info":${text},"id":${JSON.stringify(id)},"services":{"data_services":${result.services}}}`
    return { body, etag: result.etag }
  },
}

export const putSubscriptions: Endpoint = {
  method: 'PUT',
  path: subscriptionsPath,
  operationId: 'replaceRoomServices',
  tag: 'Room services',
  summary: 'Replace the subscriptions of a room',
  description:
    'Makes the list that is sent the subscriptions of the room, all or nothing. An item with the `id` of a subscription of the current cycle replaces it and leaves it in its place; an item without an `id` is added at the end; a subscription that is not named is removed. A list that changes nothing succeeds and writes nothing.',
  needs: { rooms: 'services' },
  query: [],
  conditional: 'area',
  cycle: true,
  idempotent: true,
  body: {
    plain: true,
    schema: Type.Object({ data_services: Type.Array(Type.Ref('WantedSubscription')) }),
    examples: {
      'one new service': { data_services: [{ code: 'tv-premium', label: 'Premium TV', end: '2026-11-24' }] },
      'one kept, one new': { data_services: [examples.subscription, { code: 'minibar' }] },
      none: { data_services: [] },
    },
  },
  response: {
    description: "All of the room's subscriptions, oldest first.",
    schema: Type.Object({ info, services }),
    example: {
      info: 'The services of room annecy-01-B-202 match the request.',
      services: { data_services: [examples.subscription] },
    },
    etag: true,
  },
  refusals: ['room_services_unsupported', 'service_not_found', 'item_not_object', 'item_invalid', 'limit_exceeded'],
  handle: async (context) => {
    const { db, partner, limits } = context
    const change = await requireChange(context, { rooms: 'services' })
    const { timezone } = change.facility
    const body = await context.body()
    const parsing = { form: 'whole', timezone, limits, contract: null } as const
    const wanted = await context.bodyParser.parseServices(partner.id, body, parsing)
    const replacement = { wanted, pointer: '/data_services', bodyHash: bodyHashOf(change.key, body) }
    const checks = contractRules(context, timezone)
    const result = await replaceSubscriptions(db, context.caller, change, replacement, checks)
    const text = JSON.stringify(`The services of room ${change.area} match the request.`)
    const json = `{"info":${text},"services":{"data_services":${result.services}}}`
    return { body: json, etag: result.etag, headers: replayHeader(result.replayed) }
  },
}

/** Returns the partner's contract (a JSON Schema) and a function that checks services against it in a worker thread. */
function contractRules(context: PartnerContext, timezone: string): ContractRules {
  const { partner, limits, endingSeconds, bodyParser } = context
  const { contract } = partner
  const check = (items: object[][]) => {
    const rules = { form: 'contract', timezone, contract, limits } as const
    return bodyParser.parseServices(partner.id, Buffer.from(JSON.stringify(items)), rules)
  }
  return { contract, check, limits, endingSeconds }
}
