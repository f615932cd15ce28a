import { type LoggedRequest, namesUnknownArea, namesUnknownFacility, type ShownRequest } from '../../domain/request.ts'
import { pageOfRequests, type RequestFilter } from '../../storage/cms/request.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { existingIds } from '../../storage/request-log.ts'
import { allPages, type Page, searchName } from '../page.ts'
import { decodeLogCursor, logCursor, logPage } from './log-page.ts'

export type { RequestFilter }

interface RequestSearch extends RequestFilter {
  limit: number
  cursor: string | undefined
}

export function findRequests(db: Db, search: RequestSearch): Promise<Page<ShownRequest>> {
  const list = searchName('requests', search)
  const after = decodeLogCursor(list, search.cursor)
  return db.readFromReplica(async (tx) => {
    const found = await pageOfRequests(tx, search, after, search.limit + 1)
    const { items, next } = logPage(found, search.limit, logCursor(list))
    return { items: await shownRequests(tx, items), next }
  })
}

/** Adds whether facility and area exist. Queries only ids that were refused as unknown: other logged ids exist. */
export async function shownRequests(tx: Tx, requests: LoggedRequest[]): Promise<ShownRequest[]> {
  const facilities = idsOf(requests.filter(namesUnknownFacility), 'facility')
  const areas = idsOf(requests.filter(namesUnknownArea), 'area')
  const [knownFacilities, knownAreas] = await existingIds(tx, [...facilities], [...areas])
  return requests.map((request) => ({
    ...request,
    facilityExists: exists(request.facility, facilities, knownFacilities),
    roomExists: exists(request.area, areas, knownAreas),
  }))
}

function idsOf(requests: LoggedRequest[], key: 'facility' | 'area'): Set<string> {
  return new Set(requests.flatMap((request) => request[key] ?? []))
}

function exists(id: string | null, doubtful: Set<string>, known: Map<string, string> | undefined): boolean | null {
  return id === null ? null : !doubtful.has(id) || known?.has(id) === true
}

export function requestPages(db: Db, filter: RequestFilter): AsyncGenerator<ShownRequest[]> {
  return allPages((page) => findRequests(db, { ...filter, ...page }))
}

/** Returns whether a request matches a filter, by the same rules as the SQL query of `findRequests`. */
export function matchesFilter(request: LoggedRequest, filter: RequestFilter): boolean {
  const { status, since, until, requestId } = filter
  const same = (['partner', 'route', 'method', 'facility', 'code'] as const).every(
    (key) => filter[key] === undefined || filter[key] === request[key],
  )
  return (
    same &&
    (requestId === undefined || requestId === request.requestId) &&
    (status === undefined || (request.status >= status[0] && request.status <= status[1])) &&
    (since === undefined || request.at >= since) &&
    (until === undefined || request.at < until)
  )
}
