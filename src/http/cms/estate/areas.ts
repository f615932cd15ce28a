import { idsInRange } from '../../../domain/room/area-range.ts'
import { booleanValue as flagCheck, listOf, text as textCheck } from '../../../estate/check.ts'
import { areasCheck } from '../../../estate/check-facility.ts'
import { changeAreas, createAreas, findAreas, removeAreas } from '../../../operations/cms/area.ts'
import { Type } from '../../schema.ts'
import { count, flag, text } from '../../schema-parts.ts'
import type { CmsContext, OperatorEndpoint } from '../endpoint.ts'
import { anyText, members } from '../fields.ts'
import { pageLength } from '../query.ts'
import { areaExample, areaFields, areaView } from './area-view.ts'

const common = { tag: 'Areas', path: '/cms/v1/facilities/{facilityId}/areas' } as const
const many = Type.Array(Type.Partial(Type.Object(areaFields)), { description: 'Areas, by their short ids.' })

export const listAreas: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  operationId: 'listAreas',
  summary: "List a facility's areas",
  description: 'In natural order: 2 before 10.',
  query: ['q', 'open', 'limit', 'cursor'],
  response: { description: 'A page of areas.', schema: Type.Array(Type.Ref('CmsArea')), example: [areaExample] },
  refusals: ['facility_not_found'],
  handle: async (context) => {
    const { q, open, limit = pageLength, cursor } = context.query()
    const page = await findAreas(context.db, context.params.facilityId, { q, open, limit, cursor })
    return { body: page.items.map((area) => areaView(context, area)), next: page.next, total: page.total }
  },
}

export const postAreas: OperatorEndpoint = {
  ...common,
  role: 'editor',
  method: 'POST',
  operationId: 'createAreas',
  summary: 'Add areas, many at once',
  description:
    'Either `areas`, or a `range` such as `101-140` with a `name` in which `{id}` stands for the short id. All of them or none.',
  body: {
    schema: Type.Object({
      areas: Type.Optional(many),
      range: Type.Optional(text('A range of short ids.')),
      name: Type.Optional(text('The name of each area of the range; `Room {id}` without it.')),
      skip_existing: Type.Optional(flag('Skips areas that exist and adds the others.')),
    }),
    example: { range: '101-140', name: 'Room {id}' },
  },
  response: {
    description: 'How many areas were added.',
    schema: Type.Object({
      created: count('Areas that were added.'),
      skipped: count('Areas that existed already, with `skip_existing`.'),
    }),
    example: { created: 40, skipped: 0 },
  },
  refusals: ['facility_not_found', 'area_exists', 'range_invalid', 'estate_conflict'],
  handle: async (context) => {
    const { db, actor, params } = context
    const { areas = [], range, name = 'Room {id}', skip_existing: skip = false } = await context.read(newAreas(context))
    const ranged = range === undefined ? [] : idsInRange(range).map((id) => ({ id, name: name.replaceAll('{id}', id) }))
    return { body: await createAreas(db, actor, params.facilityId, [...areas, ...ranged], skip) }
  },
}

function newAreas({ config }: CmsContext) {
  const name = textCheck((text) => (text.length <= 200 ? undefined : 'must have at most 200 characters'))
  return members({ areas: areasCheck(config.limits), range: anyText, name, skip_existing: flagCheck })
}

export const patchAreas: OperatorEndpoint = {
  ...common,
  role: 'editor',
  method: 'PATCH',
  operationId: 'changeAreas',
  summary: 'Change areas, many at once',
  description:
    'Each area is named by its short id and must exist; properties that are left out stay. All of them or none.',
  body: { schema: Type.Object({ areas: many }), example: { areas: [{ id: '101', name: 'Suite Étoile' }] } },
  response: {
    description: 'How many areas changed.',
    schema: Type.Object({
      updated: count('Areas that changed.'),
      unchanged: count('Areas that were up to date already.'),
    }),
    example: { updated: 1, unchanged: 0 },
  },
  refusals: ['facility_not_found', 'area_not_found', 'estate_conflict'],
  handle: async ({ db, actor, params, config, read }) => {
    const { areas } = await read(members({ areas: areasCheck(config.limits) }, ['areas']))
    return { body: await changeAreas(db, actor, params.facilityId, areas) }
  },
}

const named = members({ ids: listOf(anyText, 5000) }, ['ids'])

export const deleteAreas: OperatorEndpoint = {
  ...common,
  role: 'editor',
  method: 'DELETE',
  operationId: 'removeAreas',
  summary: 'Remove areas, many at once',
  description:
    'With what belongs to their guests. With `dry_run=true` the response says what would be lost, and nothing changes.',
  query: ['dry_run'],
  body: {
    schema: Type.Object({ ids: Type.Array(Type.String(), { description: 'Short ids.' }) }),
    example: { ids: ['101'] },
  },
  response: {
    description: 'What was removed.',
    schema: Type.Object({ removed: count('Areas that were removed.'), lost: Type.Ref('Lost') }),
    example: { removed: 1, lost: { areas: 1, open_rooms: 0, subscriptions: 0 } },
  },
  refusals: ['facility_not_found'],
  handle: async ({ db, actor, params, query, read }) => {
    const { dry_run: dryRun = false } = query()
    const { ids } = await read(named)
    const { removed, openRooms, subscriptions } = await removeAreas(db, actor, params.facilityId, ids, dryRun)
    return { body: { removed, lost: { areas: removed, open_rooms: openRooms, subscriptions } } }
  },
}
