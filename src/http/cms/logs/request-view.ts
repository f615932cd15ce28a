import type { ShownRequest } from '../../../domain/request.ts'
import { Type } from '../../schema.ts'
import { dateTime, nullableText, text } from '../../schema-parts.ts'

const LoggedRequest = Type.Object(
  {
    seq: Type.Integer({ description: 'Number of the entry; there are gaps.' }),
    at: dateTime('Time of the response.'),
    partner: nullableText('The partner; null if the token was not recognized.'),
    token: nullableText('Public id of the token.'),
    method: text('HTTP method.'),
    route: nullableText('Pattern of the route; null for an unknown path.'),
    facility: nullableText(
      'The facility of the request, if it exists; with `facility_not_granted` or `facility_not_found` also an id that no facility has.',
    ),
    facility_exists: {
      type: ['boolean', 'null'],
      description: 'Whether a facility with this id exists.',
    },
    area: nullableText(
      'Full id of the area of the request, if it exists; with `area_not_found` also an id that no area has, and then `facility` is null.',
    ),
    room_exists: {
      type: ['boolean', 'null'],
      description:
        'Whether an area with this id exists: if so, `area_not_found` means that no grant covers its facility.',
    },
    status: Type.Integer({ description: 'HTTP status of the response.' }),
    code: nullableText(
      'Problem code of a refusal; `/problems/{code}` explains it. For a call on many rooms, of the first operation that failed.',
    ),
    detail: nullableText('Text of the refusal, unless it quotes the body.'),
    duration_ms: Type.Number({ description: 'Duration in milliseconds.' }),
    request_id: text('Its `X-Request-Id`.'),
    address: nullableText('IP address of the caller.'),
  },
  { $id: 'LoggedRequest', description: 'A request of a partner, without body, query and token.' },
)

export const requestSchemas = { LoggedRequest }

export const requestExample = {
  seq: 81,
  at: '2026-11-15T08:30:00.000Z',
  partner: 'acme-pms',
  token: '4fT0aZ9q',
  method: 'PATCH',
  route: '/v1/facilities/:facilityExternalId/name',
  facility: 'lyon-01',
  facility_exists: true,
  area: null,
  room_exists: null,
  status: 403,
  code: 'not_granted',
  detail: 'Changing "name" of this facility is not granted.',
  duration_ms: 0.412,
  request_id: '3f1c2a54-8f0e-4a39-9a55-0c1d2b3e4f50',
  address: '192.0.2.10',
}

export type RequestView = ReturnType<typeof requestView>

export function requestView({ durationUs, requestId, address, facilityExists, roomExists, ...request }: ShownRequest) {
  const exists = { facility_exists: facilityExists, room_exists: roomExists }
  return { ...request, ...exists, duration_ms: durationUs / 1000, request_id: requestId, address }
}
