import { readFields, roomOperations, writeFields } from '../../../domain/access/grant.ts'
import { type FacilityAccess, findAccess } from '../../../operations/cms/access-matrix.ts'
import { Type } from '../../schema.ts'
import { text } from '../../schema-parts.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { pageLength } from '../query.ts'

const some = (known: readonly string[], description: string) =>
  Type.Array({ type: 'string', enum: [...known] }, { description })

export const listAccess: OperatorEndpoint = {
  tag: 'Partners',
  role: 'viewer',
  method: 'GET',
  path: '/cms/v1/partners/{partnerId}/access',
  operationId: 'listAccess',
  summary: 'List the permissions of a partner by facility',
  description: 'All grants combined, ordered by external id; facilities without a grant are left out.',
  query: ['q', 'limit', 'cursor'],
  response: {
    description: 'A page of facilities that the partner can see.',
    schema: Type.Array(
      Type.Object({
        facility: text('External id.'),
        name: text('Displayed name.'),
        read: some(readFields, 'Fields that can be read, in addition to those that every partner can read.'),
        write: some(writeFields, 'Fields that can be changed.'),
        rooms: some(roomOperations, 'Operations on rooms.'),
        grants: Type.Array(Type.Integer({ minimum: 0 }), {
          description: "Indexes of the grants that cover it in the partner's list, from 0.",
        }),
      }),
    ),
    example: [
      { facility: 'lyon-01', name: 'Hôtel Bellecour', read: ['areas'], write: ['name'], rooms: [], grants: [0, 2] },
    ],
  },
  refusals: ['partner_not_found'],
  handle: async ({ db, params, query }) => {
    const { q, limit = pageLength, cursor } = query()
    const { items, next, total } = await findAccess(db, params.partnerId, { q, limit, cursor })
    return { body: items.map(view), next, total }
  },
}

function view({ idExternal, name, access, grants }: FacilityAccess) {
  const { read, write, rooms } = access
  return { facility: idExternal, name, read: [...read], write: [...write], rooms: [...rooms], grants }
}
