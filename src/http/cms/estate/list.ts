import type { Entry } from '../../../domain/autocomplete-list.ts'
import { fullId } from '../../../domain/identifier.ts'
import { entriesCheck } from '../../../estate/check-facility.ts'
import { listDifferences, readList, replaceList } from '../../../operations/cms/list.ts'
import { Type } from '../../schema.ts'
import { count, text } from '../../schema-parts.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { members } from '../fields.ts'

const common = { tag: 'Areas', role: 'viewer', method: 'GET' } as const
const path = '/cms/v1/facilities/{facilityId}/list'
const entry = Type.Object({ id: text('Short id.'), name: text('Displayed name.') })
const example = { entries: [{ id: '101', id_external: 'lyon-01-101', name: 'Room 101' }] }
const whole = {
  description: 'The list, in order.',
  schema: Type.Object({
    entries: Type.Array(Type.Object({ ...entry.properties, id_external: text('Full id.') })),
    max_entries: count('Limit of the list.'),
  }),
  example: { ...example, max_entries: 10_000 },
}

const listView =
  (facility: string, { listEntries }: { listEntries: number }) =>
  (entries: Entry[]) => ({
    entries: entries.map(({ id, name }) => ({ id, id_external: fullId(facility, id), name })),
    max_entries: listEntries,
  })

export const getList: OperatorEndpoint = {
  ...common,
  path,
  operationId: 'getList',
  summary: 'Get the autocomplete list',
  description: 'The rooms that installation tools offer.',
  response: whole,
  refusals: ['facility_not_found'],
  handle: async ({ db, config, params: { facilityId } }) => ({
    body: listView(facilityId, config.limits)(await readList(db, facilityId)),
  }),
}

export const putList: OperatorEndpoint = {
  ...common,
  role: 'editor',
  method: 'PUT',
  path,
  operationId: 'replaceList',
  summary: 'Replace the autocomplete list',
  description: 'Replaces the whole list; the order is kept.',
  conditional: true,
  body: {
    schema: Type.Object({ entries: Type.Array(entry) }),
    example: { entries: [{ id: '101', name: 'Room 101' }] },
  },
  response: whole,
  refusals: ['facility_not_found'],
  handle: async ({ db, actor, config, params: { facilityId }, read, expects }) => {
    const check = members({ entries: entriesCheck(config.limits) }, ['entries'])
    const { entries } = await read(check)
    const view = listView(facilityId, config.limits)
    return { body: view(await replaceList(db, actor, facilityId, entries, expects(view))) }
  },
}

export const getListDifferences: OperatorEndpoint = {
  ...common,
  path: `${path}/differences`,
  operationId: 'getListDifferences',
  summary: 'Compare the list with the areas',
  description:
    'Areas that are missing from the list, entries without an area, and entries whose name differs from that of their area.',
  response: {
    description: 'The differences.',
    schema: Type.Object({
      only_in_list: Type.Array(entry),
      only_in_areas: Type.Array(entry),
      named_differently: Type.Array(
        Type.Object({
          id: text('Short id.'),
          list_name: text('Name in the list.'),
          area_name: text('Name of the area.'),
        }),
      ),
    }),
    example: { only_in_list: [], only_in_areas: [{ id: '102', name: 'Room 102' }], named_differently: [] },
  },
  refusals: ['facility_not_found'],
  handle: async ({ db, params }) => {
    const { onlyInList, onlyInAreas, namedDifferently } = await listDifferences(db, params.facilityId)
    const renamed = namedDifferently.map(({ id, listName, areaName }) => {
      return { id, list_name: listName, area_name: areaName }
    })
    return { body: { only_in_list: onlyInList, only_in_areas: onlyInAreas, named_differently: renamed } }
  },
}
