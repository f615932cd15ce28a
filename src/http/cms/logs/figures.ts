import { hasRole, type Operator } from '../../../domain/access/operator.ts'
import { type Notice, noticeKinds, type Overview } from '../../../operations/cms/dashboard.ts'
import { Type } from '../../schema.ts'
import { count, dateTime, nullableCount, nullableText, nullableTime, text } from '../../schema-parts.ts'
import type { OperatorEndpoint } from '../endpoint.ts'

const defaultMinutes = 60

export const getFigures: OperatorEndpoint = {
  tag: 'Dashboard',
  role: 'viewer',
  method: 'GET',
  path: '/cms/v1/figures',
  operationId: 'getFigures',
  summary: 'Get the data of the dashboard',
  description:
    'Over all nodes. Services that end soon are shown to editors and admins only, tokens that need attention to admins only. The busiest partners are counted individually, all others together as `*`.',
  query: ['minutes'],
  response: {
    description: 'The data.',
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
          name: 'Hôtel Bellecour',
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
    const { minutes = defaultMinutes } = query()
    return { body: figuresView(await monitoring.dashboard.read(minutes), operator) }
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

const minute = dateTime('Start of the minute.')

const Figures = Type.Object(
  {
    requests: Type.Array(
      Type.Object({
        minute,
        partner: nullableText('The partner; `*` for all others, null if the token was not recognized.'),
        status: Type.Integer({ description: 'HTTP status of the responses.' }),
        count: count('Number of requests.'),
      }),
      { description: 'Number of all requests by minute, partner and status.' },
    ),
    latency: Type.Array(
      Type.Object({
        minute,
        mean_ms: Type.Number({ description: 'Mean latency in milliseconds.' }),
        slowest_ms: Type.Number({ description: 'Latency of the slowest response in milliseconds.' }),
      }),
      { description: 'Latency of responses by minute.' },
    ),
    refused: Type.Array(
      Type.Object({
        partner: nullableText('The partner.'),
        code: nullableText('The problem code.'),
        count: count('Number of requests.'),
      }),
      { description: 'Number of refused requests by partner and reason, the most frequent first.' },
    ),
    refused_total: count('Number of pairs of partner and reason; `refused` lists the first 50.'),
    open_rooms: Type.Array(
      Type.Object({
        facility: text('The facility.'),
        name: text('Its name.'),
        open: count('Rooms that are open.'),
        areas: count('All its areas.'),
      }),
      { description: 'The 20 facilities with the most open rooms.' },
    ),
    rooms: Type.Object(
      {
        facilities: count('All facilities.'),
        facilities_open: count('Facilities with an open room.'),
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
      nullableCount('Number of services that end soon; null if there are too many to count.'),
    ),
    attention: Type.Array(
      Type.Object({
        kind: { type: 'string', enum: [...noticeKinds], description: 'Kind of notice.' },
        subject: text('The partner, or the facility.'),
        name: nullableText('Its name; null if it was removed.'),
        token: nullableText('The name of the token.'),
        webhook: nullableText('The address of the webhook.'),
        count: nullableCount('Number of requests or differences.'),
        at: nullableTime(
          'When the token expires or was last used; since when the webhook has been failing or disabled.',
        ),
        detail: text('The notice in words.'),
        link: text('Page of the console where it can be resolved.'),
      }),
      { description: 'What needs attention; at most 100 notices of each kind.' },
    ),
    attention_total: count('Number of all notices.'),
    lists: Type.Object(
      { checked: count('Lists compared with the areas so far.'), all: count('All lists.') },
      { description: 'Progress of the search for differences between lists and areas since the node started.' },
    ),
  },
  { $id: 'Figures', description: 'The data of the dashboard.' },
)

export const figureSchemas = { Figures }
