import { facilityCheck } from '../../../estate/check-facility.ts'
import {
  changeFacility,
  createFacility,
  facilityOrders,
  findFacilities,
  readFacility,
  removeFacility,
} from '../../../operations/cms/facility.ts'
import { Type } from '../../schema.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { named } from '../fields.ts'
import { orderOf, pageLength } from '../query.ts'
import { facilityExample, facilityFields, facilityId, facilityRow, facilityView, lostView } from './facility-view.ts'

const common = { tag: 'Facilities' } as const
const one = { description: 'The facility.', schema: Type.Ref('CmsFacility'), example: facilityExample }
const path = '/cms/v1/facilities/{facilityId}'

export const listFacilities: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path: '/cms/v1/facilities',
  operationId: 'listFacilities',
  summary: 'List the facilities',
  description: `Ordered by \`sort\`, one of ${facilityOrders.join(', ')}.`,
  query: ['q', 'ids', 'status', 'type', 'sort', 'limit', 'cursor'],
  response: {
    description: 'A page of facilities.',
    schema: Type.Array(Type.Ref('CmsFacility')),
    example: [facilityExample],
  },
  refusals: [],
  handle: async ({ db, query }) => {
    const { q, ids, status, type, sort, limit = pageLength, cursor } = query()
    const search = { q, ids, status, type, limit, cursor, ...orderOf(sort, facilityOrders) }
    const { items, next, total } = await findFacilities(db, search)
    return { body: items.map(facilityRow), next, total }
  },
}

export const postFacility: OperatorEndpoint = {
  ...common,
  role: 'editor',
  method: 'POST',
  path: '/cms/v1/facilities',
  operationId: 'createFacility',
  summary: 'Add a facility',
  description: 'The body is one item of `facilities` of an estate file, with its areas and its list if you like.',
  body: {
    schema: Type.Object({ id_external: facilityId, ...Type.Partial(Type.Object(facilityFields)).properties }),
    example: { id_external: 'lyon-01', name: 'Hôtel Bellecour', type: 'hotel', timezone: 'Europe/Paris' },
  },
  response: one,
  refusals: ['facility_exists', 'estate_conflict'],
  handle: async ({ db, actor, config, read }) => ({
    body: facilityView(await createFacility(db, actor, await read(facilityCheck(config.limits)))),
  }),
}

export const getFacility: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path,
  operationId: 'getFacility',
  summary: 'Get a facility',
  description: 'One facility, with all its properties.',
  response: one,
  refusals: ['facility_not_found'],
  handle: async ({ db, params }) => ({ body: facilityView(await readFacility(db, params.facilityId)) }),
}

export const patchFacility: OperatorEndpoint = {
  ...common,
  role: 'editor',
  method: 'PATCH',
  path,
  operationId: 'changeFacility',
  summary: 'Change a facility',
  description: 'Properties that are left out stay. An address is merged; the list of devices is replaced.',
  conditional: true,
  body: { schema: Type.Partial(Type.Object(facilityFields)), example: { ssid_public: 'Bellecour Guest' } },
  response: one,
  refusals: ['facility_not_found', 'estate_conflict'],
  handle: async ({ db, actor, config, params, read, expects }) => {
    const change = await read(named('id_external', params.facilityId, facilityCheck(config.limits)))
    return { body: facilityView(await changeFacility(db, actor, change, expects(facilityView))) }
  },
}

export const deleteFacility: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'DELETE',
  path,
  operationId: 'removeFacility',
  summary: 'Remove a facility',
  description: 'With its areas, what belongs to their guests, its list, and its mentions in grants.',
  conditional: true,
  response: {
    description: 'The facility as it was, and what was removed with it.',
    schema: Type.Object({ removed: Type.Ref('CmsFacility'), lost: Type.Ref('Lost') }),
    example: { removed: facilityExample, lost: { areas: 40, open_rooms: 2, subscriptions: 5 } },
  },
  refusals: ['facility_not_found'],
  handle: async ({ db, actor, params, expects }) => {
    const { facility, lost } = await removeFacility(db, actor, params.facilityId, expects(facilityView))
    return { body: { removed: facilityView(facility), lost: lostView(lost) } }
  },
}
