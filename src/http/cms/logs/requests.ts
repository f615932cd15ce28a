import type { ShownRequest } from '../../../domain/request.ts'
import { findRequests, matchesFilter, type RequestFilter, requestPages } from '../../../operations/cms/request.ts'
import { Type } from '../../schema.ts'
import { text } from '../../schema-parts.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { type CmsQuery, pageLength } from '../query.ts'
import { type RequestView, requestExample, requestView } from './request-view.ts'
import { csvHead, tableFile } from './table-file.ts'

const common = { tag: 'Logs', role: 'viewer', method: 'GET' } as const
const filters = ['partner', 'answer_status', 'route', 'method', 'facility', 'request_id', 'since', 'until'] as const

export const listRequests: OperatorEndpoint = {
  ...common,
  path: '/cms/v1/requests',
  operationId: 'listRequests',
  summary: 'List requests of partners',
  description:
    'The newest first. All refused requests, and successful ones as set by `request_log_successes`. A page searches at most 10,000 entries: if few of them match, it can be short or empty, and the `Link` header leads to the next.',
  query: [...filters, 'limit', 'cursor'],
  uncounted: true,
  response: {
    description: 'A page of requests.',
    schema: Type.Array(Type.Ref('LoggedRequest')),
    example: [requestExample],
  },
  refusals: [],
  handle: async ({ db, query }) => {
    const { limit = pageLength, cursor, ...filter } = query()
    const { items, next } = await findRequests(db, { ...filterOf(filter), limit, cursor })
    return { body: items.map(requestView), next }
  },
}

const columns = [
  ...['seq', 'at', 'partner', 'token', 'method', 'route', 'facility', 'area'],
  ...['status', 'code', 'detail', 'duration_ms', 'request_id', 'address'],
] as const

export const exportRequests: OperatorEndpoint = {
  ...common,
  role: 'admin',
  path: '/cms/v1/requests/export',
  operationId: 'exportRequests',
  summary: 'Export the request log',
  description: 'All matching requests, the newest first: as CSV, or with `format=json` as one JSON array.',
  query: [...filters, 'table_format'],
  response: {
    description: 'The requests.',
    type: 'text/csv',
    schema: text('One line per request, after a line with the names of the columns.'),
    example: csvHead(columns),
  },
  refusals: [],
  handle: async ({ db, query }) => {
    const { table_format: format = 'csv', ...filter } = query()
    const cells = (request: RequestView) => columns.map((name) => request[name])
    return tableFile(viewsOf(requestPages(db, filterOf(filter))), { name: 'requests', format, columns, cells })
  },
}

export const followRequests: OperatorEndpoint = {
  ...common,
  path: '/cms/v1/requests/stream',
  operationId: 'followRequests',
  summary: 'Follow the requests of partners',
  description:
    'Server-sent events: a `request` for each new entry of any node, within about a second. The stream ends when the node stops or the operator may no longer read it.',
  query: filters,
  response: {
    description: 'A stream of events.',
    type: 'text/event-stream',
    schema: text('Each `data` is a `LoggedRequest`.'),
    example: `id: 81\nevent: request\ndata: ${JSON.stringify(requestExample)}\n\n`,
  },
  refusals: [],
  handle: async ({ query, monitoring, requireStillAllowed }) => {
    const filter = filterOf(query())
    return {
      type: 'text/event-stream; charset=utf-8',
      stream: events(monitoring.feed.follow(), filter, requireStillAllowed),
    }
  },
}

/** After this many polls, one per second, the operator's rights are checked again and a keep-alive is sent. */
const pollsPerCheck = 15

async function* events(
  feed: AsyncIterable<ShownRequest[]>,
  filter: RequestFilter,
  requireStillAllowed: () => Promise<void>,
): AsyncGenerator<string> {
  let polls = 0
  for await (const requests of feed) {
    if (polls === 0) yield ': following\n\n'
    if (++polls % pollsPerCheck === 0) {
      await requireStillAllowed()
      yield ': still here\n\n'
    }
    for (const request of requests) if (matchesFilter(request, filter)) yield eventOf(request)
  }
}

function eventOf(request: ShownRequest): string {
  return `id: ${request.seq}\nevent: request\ndata: ${JSON.stringify(requestView(request))}\n\n`
}

function filterOf(query: Pick<CmsQuery, (typeof filters)[number]>): RequestFilter {
  const { answer_status: status, request_id: requestId, ...same } = query
  return { ...same, status, requestId }
}

async function* viewsOf(parts: AsyncIterable<ShownRequest[]>): AsyncGenerator<RequestView[]> {
  for await (const requests of parts) yield requests.map(requestView)
}
