import { hasRole } from '../../../domain/access/operator.ts'
import { parseExactly } from '../../../domain/exact-json.ts'
import { isObject } from '../../../domain/json.ts'
import { text as textCheck } from '../../../estate/check.ts'
import { grantThatDecided, isFacility, loadCurrentPartner } from '../../../operations/cms/access.ts'
import { type AccessCheck, checkAccess } from '../../partner/access-check.ts'
import { publicCode } from '../../pipeline/errors.ts'
import type { ApiResponse } from '../../pipeline/request.ts'
import { Type } from '../../schema.ts'
import { count, flag, nullableText, text } from '../../schema-parts.ts'
import type { CmsContext, OperatorEndpoint } from '../endpoint.ts'
import { anyText, members } from '../fields.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const accessQuestion = members(
  {
    partner: anyText,
    method: textCheck((method) => (methods.includes(method) ? undefined : `must be one of ${methods.join(', ')}`)),
    path: textCheck((path) => (/^\/[^\s#]{0,2048}$/.test(path) ? undefined : 'must be a path such as /v1/facilities/')),
  },
  ['partner', 'method', 'path'],
)

const example = { partner: 'acme-pms', method: 'GET', path: '/v1/facilities/lyon-01/' }

export const postAccessCheck: OperatorEndpoint = {
  tag: 'Partners',
  role: 'viewer',
  method: 'POST',
  path: '/cms/v1/access-check',
  operationId: 'checkAccess',
  summary: 'Check what a partner would get',
  description:
    'Decided by the code that serves partners: allowed or refused, which grant decided, and for reads the exact response. Changes are never carried out. Services of rooms are shown to editors and administrators only.',
  body: {
    schema: Type.Object({
      partner: text('Id of the partner.'),
      method: text('Method.'),
      path: text('Path and query.'),
    }),
    example,
  },
  response: {
    description: 'What would happen.',
    schema: Type.Object({
      allowed: flag('Whether the request would succeed.'),
      route: nullableText('The matching route of the partner API.'),
      code: nullableText('Problem code of the refusal.'),
      detail: nullableText('The refusal in words.'),
      needs: nullableText('The grant that the route needs, such as `write: name`.'),
      facility: nullableText('The facility of the request.'),
      facility_exists: {
        type: ['boolean', 'null'],
        description: 'Whether the facility in the path exists, which partners cannot see; null if the path names none.',
      },
      grant: {
        type: ['integer', 'null'],
        description: "Index of the deciding grant in the partner's list, from 0.",
      },
      answer: {
        type: ['object', 'null'],
        description: '`status`, `headers` and `body` of the response; null for a change that would succeed.',
        properties: { status: count('Status.'), headers: Type.Object({}, { additionalProperties: true }), body: {} },
      },
    }),
    example: {
      allowed: false,
      route: 'PATCH /v1/facilities/{facilityExternalId}/name',
      code: 'not_granted',
      detail: 'This needs the grant "write: name" on facility lyon-01.',
      needs: 'write: name',
      facility: null,
      facility_exists: true,
      grant: null,
      answer: { status: 403, headers: { 'cache-control': 'no-store' }, body: {} },
    },
  },
  refusals: ['partner_not_found'],
  handle: async (context) => {
    const { partner: id, method, path } = await context.read(accessQuestion)
    const partner = await loadCurrentPartner(context.db, id)
    const check = await checkAccess(context, partner, method, path)
    const facility_exists = check.facilityInPath === null ? null : await isFacility(context.db, check.facilityInPath)
    const decided = { ...decision(check), facility_exists, grant: await grantOf(context, id, check) }
    return { body: { ...decided, answer: shown(context, check.response) } }
  },
}

function decision({ route, needs, facility, refusal }: AccessCheck) {
  const need = needs === null || needs === 'none' ? null : Object.entries(needs)[0]?.join(': ')
  return {
    allowed: refusal === undefined,
    route,
    code: refusal === undefined ? null : publicCode(refusal.code),
    detail: refusal?.message ?? null,
    needs: need ?? null,
    facility,
  }
}

function grantOf(
  { db }: CmsContext,
  partner: string,
  { refusal, facility, needs }: AccessCheck,
): Promise<number | null> | null {
  return refusal === undefined ? grantThatDecided(db, partner, facility, needs) : null
}

/** Renders the response of the check. Hides services from viewers, since they reveal something about the guest. */
function shown({ operator }: CmsContext, response: ApiResponse | null) {
  if (response === null) return null
  const { status, headers } = response
  const body = parseExactly(response.body.toString())
  return { status, headers, body: hasRole(operator.role, 'editor') ? body : withoutServices(body) }
}

function withoutServices(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutServices)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, key === 'data_services' ? [] : member])
  return Object.fromEntries(members)
}
