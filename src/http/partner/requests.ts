import { findOwnRequests, type OwnRequest as Logged } from '../../operations/own-requests.ts'
import { pageText } from '../../operations/page.ts'
import { Type } from '../schema.ts'
import { dateTime, nullableText, text } from '../schema-parts.ts'
import type { Endpoint } from './endpoint.ts'

const defaultLimit = 100

export const OwnRequest = Type.Object(
  {
    at: dateTime('Time of the response.'),
    method: text('HTTP method.'),
    route: nullableText('Path of the route, with `{parameters}`, and without a final slash.'),
    facility: nullableText('The facility of the request, if the partner can see it, or named one that it cannot see.'),
    area: nullableText('Full id of the area of the request; with `area_not_found` the id that was sent.'),
    status: Type.Integer({ description: 'HTTP status of the response.' }),
    code: nullableText(
      'Problem code of a refusal; `/problems/{code}` explains it. For a call on many rooms, of the first operation that failed.',
    ),
    request_id: text('Its `X-Request-Id`.'),
    duration_ms: Type.Number({ minimum: 0, description: 'Duration in milliseconds, without the wait of a long poll.' }),
    token: nullableText('Name of the token.'),
  },
  { $id: 'OwnRequest', description: 'A request of the partner, without body, query and token.' },
)

const example = {
  at: '2026-11-15T08:31:04.210Z',
  method: 'PATCH',
  route: '/v1/facilities/{facilityExternalId}/ssid_public',
  facility: 'lyon-01',
  area: null,
  status: 403,
  code: 'not_granted',
  request_id: 'pms-2026-11-15-000417',
  duration_ms: 0.412,
  token: 'production',
}

export const listRequests: Endpoint = {
  method: 'GET',
  path: '/v1/requests',
  operationId: 'listRequests',
  tag: 'Token',
  summary: 'See your own requests',
  description:
    "The partner's requests of the last seven days, with any of its tokens, the newest first; a request appears within about a second of its response. All refused ones, and as many of the others as the operator keeps. Requests to unknown paths and with an unknown token belong to no partner. A page searches at most 10,000 requests: if few of them match, it can be short or empty, and its `Link` leads to the next.",
  needs: 'none',
  query: ['limit', 'cursor', 'request_status', 'code', 'since', 'until', 'request_id'],
  response: {
    description: 'The requests.',
    schema: Type.Array(Type.Ref('OwnRequest')),
    example: [example],
    etag: true,
  },
  refusals: [],
  handle: async (context) => {
    const { limit = defaultLimit, cursor, request_status: status, code, since, until, request_id } = context.query()
    const search = { limit, cursor, status, code, since, until, requestId: request_id }
    const { items, next } = await findOwnRequests(context.db, context.partner, search)
    return context.pageResult(pageText(JSON.stringify(items.map(requestView)), next))
  },
}

function requestView({ at, method, route, facility, area, status, code, requestId, durationUs, token }: Logged) {
  return {
    at,
    method,
    route: route?.replace(/:(\w+)/g, '{$1}') ?? null,
    facility,
    area,
    status,
    code,
    request_id: requestId,
    duration_ms: durationUs / 1000,
    token,
  }
}
