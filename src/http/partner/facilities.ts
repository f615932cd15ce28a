import { listVisibleFacilities, readFacility } from '../../operations/facility.ts'
import { Type } from '../schema.ts'
import type { Endpoint } from './endpoint.ts'
import * as examples from './examples.ts'

export const listFacilities: Endpoint = {
  method: 'GET',
  path: '/v1/facilities/',
  operationId: 'listFacilities',
  tag: 'Facilities',
  summary: 'List the accessible facilities',
  description:
    'The facilities that the token can see, ordered by `id`. The list is complete unless `limit` asks for pages.',
  needs: 'none',
  query: ['limit', 'cursor', 'status', 'type', 'q'],
  response: {
    description: 'The facilities.',
    schema: Type.Array(Type.Ref('FacilitySummary')),
    example: [examples.summary],
    etag: true,
  },
  cached: 'facilities',
  refusals: ['not_granted'],
  handle: async (context) => {
    return context.pageResult(await listVisibleFacilities(context.db, context.partner, context.query))
  },
}

export const getFacility: Endpoint = {
  method: 'GET',
  path: '/v1/facilities/{facilityExternalId}/',
  operationId: 'getFacility',
  tag: 'Facilities',
  summary: 'Get a facility',
  description: 'One facility with the fields that the grants permit.',
  needs: 'none',
  query: [],
  response: { description: 'The facility.', schema: Type.Ref('Facility'), example: examples.facility, etag: true },
  cached: 'facility',
  refusals: [],
  handle: async (context) => {
    const { facilityExternalId } = context.params
    return { body: await readFacility(context.db, context.partner, facilityExternalId, () => void context.query()) }
  },
}
