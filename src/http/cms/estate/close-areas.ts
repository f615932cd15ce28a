import type { Refusal } from '../../../domain/refusal.ts'
import { listOf } from '../../../estate/check.ts'
import { closeAreas } from '../../../operations/cms/room.ts'
import { problemOf } from '../../pipeline/errors.ts'
import { Type } from '../../schema.ts'
import { text } from '../../schema-parts.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { anyText, members } from '../fields.ts'

const cycle = '01939c7e-5f2a-7b3c-9d4e-8f6a1b2c3d4e'
const maxRooms = 500
const stay = members({ id: anyText, cycle: anyText }, ['id'])

export const postCloseMany: OperatorEndpoint = {
  tag: 'Areas',
  role: 'editor',
  method: 'POST',
  path: '/cms/v1/facilities/{facilityId}/areas/close',
  operationId: 'closeAreas',
  summary: 'Close rooms, many at once',
  description:
    'Each room is closed on its own, with an audit entry and an event of its own. With its `cycle`, a room is closed only while the guest is the same.',
  body: {
    schema: Type.Object({
      areas: Type.Array(
        Type.Object({ id: text('The short id.'), cycle: Type.Optional(text('The cycle that is to end.')) }),
        { maxItems: maxRooms },
      ),
    }),
    example: { areas: [{ id: '101', cycle }, { id: '102' }] },
  },
  response: {
    description: 'One result for each room, in the same order: 200, or the status of its problem.',
    schema: Type.Object({
      results: Type.Array(
        Type.Object({
          id: text('The short id.'),
          status: Type.Integer({ description: 'The HTTP status that closing this room alone would have.' }),
          problem: Type.Optional(Type.Ref('Problem')),
        }),
      ),
    }),
    example: { results: [{ id: '101', status: 200 }] },
  },
  // The last two codes occur only in results of single rooms. They are listed for the OpenAPI document.
  refusals: ['facility_not_found', 'area_not_found', 'cycle_ended'],
  handle: async ({ db, actor, params, read }) => {
    const { areas } = await read(members({ areas: listOf(stay, maxRooms) }, ['areas']))
    const refusals = await closeAreas(db, actor, params.facilityId, areas)
    const requestId = actor.requestId ?? ''
    return { body: { results: areas.map(({ id }, index) => ({ id, ...resultOf(refusals[index], requestId) })) } }
  },
}

function resultOf(refusal: Refusal | undefined, requestId: string) {
  if (refusal === undefined) return { status: 200 }
  const { status, body } = problemOf(refusal, requestId)
  return { status, problem: body }
}
