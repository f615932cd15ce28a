import { etagOf } from '../../domain/representation.ts'
import { listVisibleAreas, readArea } from '../../operations/area.ts'
import { Type } from '../schema.ts'
import type { Endpoint } from './endpoint.ts'
import * as examples from './examples.ts'

export const listAreas: Endpoint = {
  method: 'GET',
  path: '/v1/facilities/{facilityExternalId}/areas',
  operationId: 'listAreas',
  tag: 'Areas',
  summary: 'Get the areas of a facility',
  description:
    'The rooms, zones and spaces in the natural order of their short ids: 2 comes before 10. Filters combine: an area must match all of them.',
  needs: { read: 'areas' },
  query: ['limit', 'cursor', 'q', 'open', 'service', 'changed_since', 'active_at'],
  response: { description: 'The areas.', schema: Type.Array(Type.Ref('Area')), example: [examples.area], etag: true },
  cached: 'areas',
  refusals: [],
  handle: async (context) => {
    return context.pageResult(
      await listVisibleAreas(context.db, context.partner, context.params.facilityExternalId, context.query),
    )
  },
}

export const getArea: Endpoint = {
  method: 'GET',
  path: '/v1/areas/{areaExternalId}/',
  operationId: 'getArea',
  tag: 'Areas',
  summary: 'Get one area',
  description: 'One room with its subscriptions. Changes of the room and its services accept its ETag in `If-Match`.',
  needs: { read: 'areas' },
  query: ['active_at'],
  response: { description: 'The area.', schema: Type.Ref('Area'), example: examples.area, etag: true },
  refusals: [],
  handle: async (context) => {
    const area = await readArea(context.db, context.partner, context.params.areaExternalId, context.query)
    return { body: area, etag: etagOf(area) }
  },
}
