import { type Check, booleanValue as flagCheck, listOf } from '../../../estate/check.ts'
import { grantCheck } from '../../../estate/check-partner.ts'
import { type ChangedOutcome, dryRunGrants } from '../../../operations/cms/grant-dry-run.ts'
import { partnerEndpoints } from '../../partner/routes.ts'
import { publicCode } from '../../pipeline/errors.ts'
import { Type } from '../../schema.ts'
import { count, dateTime, flag, nullableText, text } from '../../schema-parts.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { members } from '../fields.ts'
import { grantExample } from './partner-view.ts'

const maxDays = 90

const changedDecisions = (description: string) =>
  Type.Array(
    Type.Object({
      method: text('Method.'),
      route: text('Route of the partner API.'),
      facility: nullableText('External id; null for a route without a facility.'),
      area: nullableText('Full id of the room.'),
      count: count('Number of requests.'),
      last_at: dateTime('Time of the last request.'),
      code: text('Problem code of the refusal.'),
    }),
    { description },
  )

export const postRehearsal: OperatorEndpoint = {
  tag: 'Partners',
  role: 'admin',
  method: 'POST',
  path: '/cms/v1/partners/{partnerId}/rehearsal',
  operationId: 'rehearseGrants',
  summary: 'Try a change of grants on past requests',
  description:
    'A dry run: decides the logged requests of the partner from the last days under its current grants and under those of the body, and returns the differences. Nothing changes.',
  body: {
    schema: Type.Object({
      grants: Type.Array(Type.Ref('Grant')),
      webhooks: Type.Optional(flag('Whether the partner may manage its own webhooks; default: as it is now.')),
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: maxDays, description: 'Days to go back; default: 7.' })),
    }),
    example: { grants: [grantExample], days: 7 },
  },
  response: {
    description: 'The differences.',
    schema: Type.Object({
      from: dateTime('Start of the time range.'),
      checked: count('Number of requests that were decided.'),
      not_checked: count(
        'Number of requests that were not decided: too little is logged of them, or there are more than 10,000 different ones.',
      ),
      turns_refused: changedDecisions('Allowed now, refused under the new grants.'),
      turns_allowed: changedDecisions('Refused now, allowed under the new grants.'),
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
    const { from, checked, notChecked, turnsRefused, turnsAllowed } = await dryRunGrants(db, {
      partner: params.partnerId,
      draft: { grants, webhooks },
      days,
      needOf,
    })
    const [turns_refused, turns_allowed] = [turnsRefused.map(view), turnsAllowed.map(view)]
    return { body: { from, checked, not_checked: notChecked, turns_refused, turns_allowed } }
  },
}

const days: Check<number> = (value, path, report) => {
  const isUsable = Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxDays
  if (!isUsable) report(path, `must be a whole number from 1 to ${maxDays}`)
  return value as number
}

const order = members({ grants: listOf(grantCheck), webhooks: flagCheck, days }, ['grants'])

/** Converts a route from the form in the log, with `:id`, to the form in the OpenAPI document, with `{id}`. */
const documented = (route: string) => route.replace(/:(\w+)/g, '{$1}')
const withoutSlash = (path: string) => path.replace(/\/$/, '')

const needs = new Map(
  partnerEndpoints.map(({ method, path, needs: need, right }) => {
    const isRoom = path.includes('{areaExternalId}')
    const isAnywhere = !isRoom && !path.includes('{facilityExternalId}')
    const isBulk = path.endsWith('/areas/bulk')
    return [`${method} ${withoutSlash(path)}`, { need, right, isRoom, isAnywhere, isBulk }]
  }),
)

function needOf(method: string, route: string) {
  return needs.get(`${method === 'HEAD' ? 'GET' : method} ${withoutSlash(documented(route))}`)
}

function view({ method, route, facility, area, count: times, lastAt, code }: ChangedOutcome) {
  return { method, route: documented(route), facility, area, count: times, last_at: lastAt, code: publicCode(code) }
}
