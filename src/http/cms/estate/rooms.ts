import { isObject } from '../../../domain/json.ts'
import { type Check, listOf } from '../../../estate/check.ts'
import {
  addServices,
  changeService,
  closeArea,
  moveStay,
  openArea,
  readArea,
  removeService,
} from '../../../operations/cms/room.ts'
import { Type } from '../../schema.ts'
import { nullableText, text } from '../../schema-parts.ts'
import type { CmsContext, CmsResult, OperatorEndpoint } from '../endpoint.ts'
import { anyText, members } from '../fields.ts'
import { areaExample, areaView } from './area-view.ts'

const common = { tag: 'Areas', role: 'editor', method: 'POST' } as const
const seen = (context: CmsContext) => ({ area: context.params.areaId, cycle: context.cycle() })
const one = { description: 'The area as it is now.', schema: Type.Ref('CmsArea'), example: areaExample }
const path = '/cms/v1/areas/{areaId}'

async function shown(context: CmsContext): Promise<CmsResult> {
  return { body: areaView(context, await readArea(context.db, context.params.areaId)) }
}

export const getArea: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path,
  operationId: 'getArea',
  summary: 'Get an area',
  description: 'By its full id.',
  response: one,
  refusals: ['area_not_found'],
  handle: shown,
}

export const postOpen: OperatorEndpoint = {
  ...common,
  path: `${path}/open`,
  operationId: 'openArea',
  summary: 'Open a room',
  description: 'Begins a new cycle and erases what belonged to the previous one.',
  response: one,
  cycle: true,
  refusals: ['area_not_found'],
  handle: async (context) => {
    await openArea(context.db, context.actor, seen(context))
    return shown(context)
  },
}

export const postClose: OperatorEndpoint = {
  ...common,
  path: `${path}/close`,
  operationId: 'closeArea',
  summary: 'Close a room',
  description: 'Ends the cycle and erases what belonged to it.',
  response: one,
  cycle: true,
  refusals: ['area_not_found'],
  handle: async (context) => {
    await closeArea(context.db, context.actor, seen(context))
    return shown(context)
  },
}

const moveCheck = members({ to: anyText, cycle: anyText }, ['to'])

export const postMove: OperatorEndpoint = {
  ...common,
  path: `${path}/move`,
  operationId: 'moveGuest',
  summary: 'Move a guest to another room',
  description:
    'The closed room `to`, of the same facility, takes the cycle with its services and their ids; the room that the guest leaves is closed and erased. With `cycle`, only that guest is moved.',
  body: {
    schema: Type.Object({
      to: text('The full id of a closed room.'),
      cycle: Type.Optional(text('The cycle of the stay.')),
    }),
    example: { to: 'lyon-01-102', cycle: '0192e4a0-7a3b-7c1d-8e2f-3a4b5c6d7e8f' },
  },
  response: { ...one, description: 'The area that has the guest now.' },
  refusals: ['area_not_found', 'room_services_unsupported', 'room_not_open', 'room_occupied', 'cycle_ended'],
  handle: async (context) => {
    const { to, cycle } = await context.read(moveCheck)
    await moveStay(context.db, context.actor, { area: context.params.areaId, cycle }, to)
    return { body: areaView(context, await readArea(context.db, to)) }
  },
}

const item: Check<Record<string, unknown>> = (value, where, report) => {
  if (!isObject(value)) report(where, 'must be an object with at least a "code"')
  return value as Record<string, unknown>
}

export const postServices: OperatorEndpoint = {
  ...common,
  path: `${path}/services`,
  operationId: 'addServices',
  summary: 'Add services to a room',
  description: 'The items have the form of the partner API, in an array. All of them or none.',
  body: {
    schema: Type.Object({
      services: Type.Array(Type.Object({ code: Type.String() }, { additionalProperties: true }), {
        description: 'Subscriptions.',
      }),
    }),
    example: { services: [{ code: 'tv-premium', label: 'Premium TV', end: '2026-12-01' }] },
  },
  response: one,
  cycle: true,
  refusals: ['area_not_found', 'room_services_unsupported', 'item_invalid', 'limit_exceeded'],
  handle: async (context) => {
    const { limits, eventEndingSeconds } = context.config
    const all = listOf(item, limits.postSubscriptions)
    const { services } = await context.read(members({ services: all }, ['services']))
    await addServices(context.db, context.actor, seen(context), services, limits, eventEndingSeconds)
    return shown(context)
  },
}

const patch: Check<Record<string, unknown>> = (value, where, report) => {
  if (!isObject(value)) report(where, 'must be an object, a merge patch')
  return value as Record<string, unknown>
}

export const patchService: OperatorEndpoint = {
  ...common,
  method: 'PATCH',
  path: `${path}/services/{serviceId}`,
  operationId: 'changeService',
  summary: 'Change a service of a room',
  description:
    "A JSON Merge Patch of one service of the room's current cycle: what is not named stays, `null` removes. Its id and its `code` stay. The result is checked as a whole, without the contract of a partner. Changing nothing succeeds.",
  body: {
    schema: Type.Object(
      {
        label: Type.Optional(nullableText('Displayed name.')),
        status: Type.Optional(nullableText('Usually `active`.')),
        start: Type.Optional(nullableText('Start of validity, in any form of the partner API.')),
        end: Type.Optional(nullableText('End of validity, exclusive.')),
      },
      { additionalProperties: true },
    ),
    example: { end: '2026-12-03' },
  },
  response: one,
  refusals: ['area_not_found', 'room_services_unsupported', 'service_not_found', 'item_invalid', 'limit_exceeded'],
  handle: async (context) => {
    const { limits, eventEndingSeconds: endingSeconds } = context.config
    const { areaId, serviceId: id } = context.params
    const order = { id, patch: await context.read(patch) }
    await changeService(context.db, context.actor, areaId, order, limits, endingSeconds)
    return shown(context)
  },
}

export const deleteService: OperatorEndpoint = {
  ...common,
  method: 'DELETE',
  path: `${path}/services/{serviceId}`,
  operationId: 'removeService',
  summary: 'Remove a service from a room',
  description: "By its id, among those of the room's current cycle.",
  response: one,
  refusals: ['area_not_found', 'room_services_unsupported', 'service_not_found'],
  handle: async (context) => {
    await removeService(context.db, context.actor, context.params.areaId, context.params.serviceId)
    return shown(context)
  },
}
