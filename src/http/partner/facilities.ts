import { type FacilityProperty, parseFacilityProperty } from '../../domain/facility.ts'
import { legacyValue } from '../../domain/room/legacy-body.ts'
import {
  assertCanChangeProperty,
  changeProperty,
  listVisibleFacilities,
  readFacility,
} from '../../operations/facility.ts'
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

interface Description {
  operationId: string
  summary: string
  description: string
  example: string
}

function patchProperty(
  property: FacilityProperty,
  { operationId, summary, description, example }: Description,
): Endpoint {
  return {
    method: 'PATCH',
    path: `/v1/facilities/{facilityExternalId}/${property}`,
    operationId,
    tag: 'Facilities',
    summary,
    description: `${description} Sending the current value succeeds and changes nothing.`,
    needs: { write: property },
    query: [],
    conditional: 'facility',
    body: {
      schema: Type.Object({ value: Type.String({ description }) }),
      examples: { [property]: { value: example } },
    },
    response: {
      description: 'The property as it is now.',
      schema: Type.Object({ [property]: Type.String() }),
      example: { [property]: example },
      etag: true,
    },
    refusals: ['value_invalid'],
    handle: async (context) => {
      const change = { facility: context.params.facilityExternalId, property, precondition: context.precondition }
      await assertCanChangeProperty(context.db, context.partner, change)
      context.query()
      const value = legacyValue(await context.body(), context.limits.jsonDepth)
      const changed = await changeProperty(context.db, context.caller, change, parseFacilityProperty(property, value))
      return { body: JSON.stringify({ [property]: changed.value }), etag: changed.etag }
    },
  }
}

export const patchName = patchProperty('name', {
  operationId: 'updateFacilityName',
  summary: 'Rename a facility',
  description: 'The displayed name: 1 to 255 characters after trimming, no control characters.',
  example: 'Hôtel des Deux Rives',
})

export const patchSsidPublic = patchProperty('ssid_public', {
  operationId: 'updateFacilitySsidPublic',
  summary: 'Change the public SSID',
  description:
    'The public Wi-Fi network name: 1 to 32 bytes in UTF-8, no control characters. Equipment that uses the old name is cut off.',
  example: 'Deux Rives Guest',
})

export const patchSubscriptionUrl = patchProperty('subscription_url', {
  operationId: 'updateFacilitySubscriptionUrl',
  summary: 'Change the portal URL',
  description: 'The subscription page: absolute `http` or `https`, no user name or password, at most 2,048 characters.',
  example: 'https://portal.example/lyon-01',
})
