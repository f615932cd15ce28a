import { hasRole } from '../../../domain/access/operator.ts'
import { parseExactly } from '../../../domain/exact-json.ts'
import { isObject } from '../../../domain/json.ts'
import { text as textCheck } from '../../../estate/check.ts'
import { grantThatDecided, isFacility, loadCurrentPartner } from '../../../operations/cms/access.ts'
import { type AccessCheck, checkAccess } from '../../partner/access-check.ts'
import { publicCode } from '../../pipeline/errors.ts'
import type { ApiResponse } from '../../pipeline/request.ts'
import { Type } from '../../schema.ts'
import type { CmsContext, OperatorEndpoint } from '../endpoint.ts'
import { anyText, members } from '../fields.ts'
import { count, flag, nullableText, text } from '../schema-parts.ts'

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']
const question = members<{ partner: string; method: string; path: string }>(
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
  summary: 'See what a partner would be answered',
  description:
    'By the code that answers partners: allowed or refused, which grant decided, and for reads the exact answer. Changes are decided and never carried out. Services of rooms are shown to editors and administrators only.',
  body: {
    schema: Type.Object({ partner: text('Its id.'), method: text('Method.'), path: text('Path and query.') }),
    example,
  },
  response: {
    description: 'What would happen.',
    schema: Type.Object({
      allowed: flag('Whether it would be done.'),
      route: nullableText('The route of the partner API that the path leads to.'),
      code: nullableText('Why it would be refused.'),
      detail: nullableText('The same in words.'),
      needs: nullableText('The grant that the route needs, such as `write: name`.'),
      facility: nullableText('The facility that it is about.'),
      facility_exists: {
        type: ['boolean', 'null'],
        description:
          'Whether there is the facility that the path names, which partners are not told; null without one.',
      },
      grant: {
        type: ['integer', 'null'],
        description: "The place of the grant that decided in the partner's list, from 0.",
      },
      answer: {
        type: ['object', 'null'],
        description: '`status`, `headers` and `body` of the answer; null for a change that would be carried out.',
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
    const { partner: id, method, path } = await context.read(question)
    const partner = await loadCurrentPartner(context.db, id)
    const seen = await checkAccess(context, partner, method, path)
    const facility_exists = seen.asked === null ? null : await isFacility(context.db, seen.asked)
    const decided = { ...decision(seen), facility_exists, grant: await grantOf(context, id, seen) }
    return { body: { ...decided, answer: shown(context, seen.response) } }
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

/** What a room's guest has is not for everybody who may look. */
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
