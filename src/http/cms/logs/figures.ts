import { hasRole, type Operator } from '../../../domain/access/operator.ts'
import { type Notice, noticeKinds, type Overview } from '../../../operations/cms/figures.ts'
import { Type } from '../../schema.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { count, dateTime, nullableCount, nullableText, nullableTime, text } from '../schema-parts.ts'

const minutesWithoutOne = 60

export const getFigures: OperatorEndpoint = {
  tag: 'Dashboard',
  role: 'viewer',
  method: 'GET',
  path: '/cms/v1/figures',
  operationId: 'getFigures',
  summary: 'Get the figures of the dashboard',
  description:
    'Over all nodes. Services that end soon are named to editors and admins only, tokens that need attention to admins only. The busiest partners are counted one by one, all others together as `*`.',
  query: ['minutes'],
  response: {
    description: 'The figures.',
    schema: Type.Ref('Figures'),
    example: {
      requests: [{ minute: '2026-11-15T08:30:00.000Z', partner: 'acme-pms', status: 200, count: 412 }],
      latency: [{ minute: '2026-11-15T08:30:00.000Z', mean_ms: 0.21, slowest_ms: 9.4 }],
      refused: [{ partner: 'acme-pms', code: 'not_granted', count: 3 }],
      refused_total: 1,
      rooms: { facilities: 4, facilities_open: 1, areas: 110, open: 12 },
      open_rooms: [{ facility: 'lyon-01', name: 'Hôtel Bellecour', open: 12, areas: 40 }],
      ending_soon: [{ facility: 'lyon-01', area: 'lyon-01-101', code: 'tv', end: '2026-11-15T11:00:00.000Z' }],
      ending_soon_count: 1,
      attention: [
        {
          kind: 'list_drift',
          subject: 'lyon-01',
          token: null,
          webhook: null,
          count: 2,
          at: null,
          detail: '2 differences between list and areas',
          link: '/console/facilities/lyon-01?tab=list',
        },
      ],
      attention_total: 1,
      lists: { checked: 4, all: 4 },
    },
  },
  refusals: [],
  handle: async ({ operator, query, monitoring }) => {
    const { minutes = minutesWithoutOne } = query()
    return { body: figuresView(await monitoring.figures.read(minutes), operator) }
  },
}

function figuresView(overview: Overview, { role }: Operator) {
  const { requests, latency, refused, openRooms, rooms, endingSoon, listsChecked } = overview
  const sees = (kind: Notice['kind']) => hasRole(role, 'admin') || !kind.startsWith('token_')
  return {
    requests: requests.map(({ partner, ...one }) => ({ ...one, partner: partner || null })),
    latency: latency.map(({ minute, meanUs, slowestUs }) => {
      return { minute, mean_ms: meanUs / 1000, slowest_ms: slowestUs / 1000 }
    }),
    refused: refused.rows,
    refused_total: refused.total,
    open_rooms: openRooms,
    rooms: {
      facilities: rooms.facilities,
      facilities_open: rooms.facilitiesOpen,
      areas: rooms.areas,
      open: rooms.open,
    },
    ...(hasRole(role, 'editor') && { ending_soon: endingSoon.services, ending_soon_count: endingSoon.count }),
    attention: overview.attention.filter(({ kind }) => sees(kind)),
    attention_total: noticeKinds.filter(sees).reduce((sum, kind) => sum + overview.attentionTotals[kind], 0),
    lists: { checked: listsChecked, all: rooms.lists },
  }
}

const minute = dateTime('When the minute began.')

const Figures = Type.Object(
  {
    requests: Type.Array(
      Type.Object({
        minute,
        partner: nullableText('The partner; `*` for all others, null where nobody was recognised.'),
        status: Type.Integer({ description: 'The status of the answers.' }),
        count: count('How many.'),
      }),
      { description: 'Requests by minute, partner and status, all of them counted.' },
    ),
    latency: Type.Array(
      Type.Object({
        minute,
        mean_ms: Type.Number({ description: 'How long an answer took on average.' }),
        slowest_ms: Type.Number({ description: 'How long the slowest took.' }),
      }),
      { description: 'How long answers took.' },
    ),
    refused: Type.Array(
      Type.Object({
        partner: nullableText('The partner.'),
        code: nullableText('The reason.'),
        count: count('How many.'),
      }),
      { description: 'Why requests were refused, all of them counted; the most frequent reasons.' },
    ),
    refused_total: count('How many pairs of partner and reason there are; `refused` lists the first 50.'),
    open_rooms: Type.Array(
      Type.Object({
        facility: text('The facility.'),
        name: text('Its name.'),
        open: count('Rooms that are open.'),
        areas: count('All its areas.'),
      }),
      { description: 'The facilities with most open rooms, the first 20.' },
    ),
    rooms: Type.Object(
      {
        facilities: count('All facilities.'),
        facilities_open: count('Those with an open room.'),
        areas: count('All areas.'),
        open: count('Rooms that are open.'),
      },
      { description: 'The whole estate, without sandboxes.' },
    ),
    ending_soon: Type.Optional(
      Type.Array(
        Type.Object({
          facility: text('The facility.'),
          area: text('The full id of the room.'),
          code: text('The code of the service.'),
          end: dateTime('When it ends.'),
        }),
        { description: 'Services that end soon, the first 50.' },
      ),
    ),
    ending_soon_count: Type.Optional(
      nullableCount('How many services end soon; null where too many rooms are due to count them.'),
    ),
    attention: Type.Array(
      Type.Object({
        kind: { type: 'string', enum: [...noticeKinds], description: 'What it is.' },
        subject: text('The partner, or the facility.'),
        token: nullableText('The name of the token.'),
        webhook: nullableText('The address of the webhook.'),
        count: nullableCount('How many requests, or differences.'),
        at: nullableTime('When the token ends, or was last used; since when the webhook fails or is switched off.'),
        detail: text('The same in words.'),
        link: text('Where something can be done about it.'),
      }),
      { description: 'What needs attention, at most 100 of each kind.' },
    ),
    attention_total: count('How many notices there are in all.'),
    lists: Type.Object(
      { checked: count('Those that were compared with the areas so far.'), all: count('All lists.') },
      { description: 'How far the search for differences between lists and areas has come since the node started.' },
    ),
  },
  { $id: 'Figures', description: 'What the dashboard shows.' },
)

export const figureSchemas = { Figures }
