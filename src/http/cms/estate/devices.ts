import { deviceCheck } from '../../../estate/check-facility.ts'
import { putDevice as put, removeDevice } from '../../../operations/cms/device.ts'
import { Type } from '../../schema.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { named } from '../fields.ts'
import { deviceExample } from './facility-view.ts'

const common = {
  tag: 'Facilities',
  role: 'editor',
  path: '/cms/v1/facilities/{facilityId}/devices/{deviceId}',
} as const
const one = { description: 'The device.', schema: Type.Ref('Device'), example: deviceExample }

export const putDevice: OperatorEndpoint = {
  ...common,
  method: 'PUT',
  operationId: 'putDevice',
  summary: 'Add or replace a device',
  description: 'Properties that are left out become null. `area` is the short id of an area that exists.',
  body: {
    schema: Type.Object({ type: Type.String() }, { additionalProperties: true }),
    example: { type: 'tv', model: 'X1', serial: '0001', status: 'online', area: '101' },
  },
  response: one,
  refusals: ['facility_not_found', 'area_not_found'],
  handle: async ({ db, actor, params: { facilityId, deviceId }, read }) => ({
    body: await put(db, actor, facilityId, await read(named('id', deviceId, deviceCheck))),
  }),
}

export const deleteDevice: OperatorEndpoint = {
  ...common,
  method: 'DELETE',
  operationId: 'removeDevice',
  summary: 'Remove a device',
  description: 'Removes the device with this id.',
  response: { ...one, description: 'The device as it was.' },
  refusals: ['facility_not_found', 'device_not_found'],
  handle: async ({ db, actor, params: { facilityId, deviceId } }) => ({
    body: await removeDevice(db, actor, facilityId, deviceId),
  }),
}
