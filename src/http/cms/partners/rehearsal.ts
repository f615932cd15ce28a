import type { Grant } from '../../../domain/access/grant.ts'
import { type Check, flag as flagCheck, listOf } from '../../../estate/check.ts'
import { grantCheck } from '../../../estate/check-partner.ts'
import { rehearse, type TurnedCall } from '../../../operations/cms/rehearsal.ts'
import { partnerRoutes } from '../../partner/routes.ts'
import { publicCode } from '../../pipeline/errors.ts'
import { Type } from '../../schema.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { members } from '../fields.ts'
import { count, dateTime, flag, nullableText, text } from '../schema-parts.ts'
import { grant } from './partner-examples.ts'

const daysAtMost = 90

const turned = (description: string) =>
  Type.Array(
    Type.Object({
      method: text('Method.'),
      route: text('Route of the partner API.'),
      facility: nullableText('External id; null for a route of no facility.'),
      area: nullableText('Full id of the room.'),
      count: count('How often it was asked for.'),
      last_at: dateTime('When it was last asked for.'),
      code: text('Why it would be refused, or is refused now.'),
    }),
    { description },
  )

export const postRehearsal: OperatorEndpoint = {
  tag: 'Partners',
  role: 'admin',
  method: 'POST',
  path: '/cms/v1/partners/{partnerId}/rehearsal',
  operationId: 'rehearseGrants',
  summary: 'Rehearse a change of grants',
  description:
    'Decides what the partner asked for in the last days, as the request log has it, by the grants it has and by those of the body. Nothing is changed.',
  body: {
    schema: Type.Object({
      grants: Type.Array(Type.Ref('Grant')),
      webhooks: Type.Optional(flag('Whether it may keep its own webhooks; as it is now without it.')),
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: daysAtMost, description: 'Days; 7 without it.' })),
    }),
    example: { grants: [grant], days: 7 },
  },
  response: {
    description: 'What would turn.',
    schema: Type.Object({
      from: dateTime('Since when requests were looked at.'),
      checked: count('Requests that were decided.'),
      not_checked: count('Requests that say too little to be decided, and those beyond 10,000 different ones.'),
      turns_refused: turned('Allowed now, refused then.'),
      turns_allowed: turned('Refused now, allowed then.'),
    }),
    example: {
      from: '2026-11-08T08:30:00.000Z',
      checked: 4170,
      not_checked: 2,
      turns_refused: [
        {
          method: 'PATCH',
          route: '/v1/facilities/{facilityExternalId}/name',
          facility: 'lyon-01',
          area: null,
          count: 3,
          last_at: '2026-11-15T08:30:00.000Z',
          code: 'not_granted',
        },
      ],
      turns_allowed: [],
    },
  },
  refusals: ['partner_not_found'],
  handle: async ({ db, params, read }) => {
    const { grants, webhooks, days = 7 } = await read(order)
    const { from, checked, notChecked, turnsRefused, turnsAllowed } = await rehearse(db, {
      partner: params.partnerId ?? '',
      draft: { grants, webhooks },
      days,
      needOf,
    })
    const [turns_refused, turns_allowed] = [turnsRefused.map(view), turnsAllowed.map(view)]
    return { body: { from, checked, not_checked: notChecked, turns_refused, turns_allowed } }
  },
}

const days: Check<number> = (value, path, report) => {
  const isUsable = Number.isInteger(value) && (value as number) >= 1 && (value as number) <= daysAtMost
  if (!isUsable) report(path, `must be a whole number from 1 to ${daysAtMost}`)
  return value as number
}

interface Order {
  grants: Grant[]
  webhooks?: boolean
  days?: number
}

const order = members<Order>({ grants: listOf(grantCheck), webhooks: flagCheck, days }, ['grants'])

/** As the OpenAPI document writes it: the log has the router's pattern. */
const documented = (route: string) => route.replace(/:(\w+)/g, '{$1}')
/** Both slash forms of a path are one route. */
const plain = (path: string) => path.replace(/\/$/, '')

const needs = new Map(
  partnerRoutes.map(({ method, path, needs: need, right }) => {
    const isRoom = path.includes('{areaExternalId}')
    const isAnywhere = !isRoom && !path.includes('{facilityExternalId}')
    return [`${method} ${plain(path)}`, { need, right, isRoom, isAnywhere }]
  }),
)

function needOf(method: string, route: string) {
  return needs.get(`${method === 'HEAD' ? 'GET' : method} ${plain(documented(route))}`)
}

function view({ method, route, facility, area, count: times, lastAt, code }: TurnedCall) {
  return { method, route: documented(route), facility, area, count: times, last_at: lastAt, code: publicCode(code) }
}
