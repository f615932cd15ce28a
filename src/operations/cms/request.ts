import { setImmediate as pause } from 'node:timers/promises'
import type { LoggedRequest } from '../../domain/request.ts'
import { pageOfRequests, type RequestFilter } from '../../storage/cms/request.ts'
import type { Db } from '../../storage/database.ts'
import type { Page } from '../page.ts'
import { logPage, placeIn } from './log-page.ts'

export type { RequestFilter }

export interface RequestSearch extends RequestFilter {
  limit: number
  cursor: string | undefined
}

export function findRequests(db: Db, search: RequestSearch): Promise<Page<LoggedRequest>> {
  const after = placeIn('requests', search.cursor)
  return db.read(async (tx) => {
    return logPage('requests', await pageOfRequests(tx, search, after, search.limit + 1), search.limit)
  })
}

const exportedAtOnce = 500

/** Yields all that fits, some at a time: nothing is held for however long it takes to send it. */
export async function* everyRequest(db: Db, filter: RequestFilter): AsyncGenerator<LoggedRequest[]> {
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await findRequests(db, { ...filter, limit: exportedAtOnce, cursor })
    yield items
    if (next === undefined) return
    cursor = next
    await pause()
  }
}

/** The same filter for one that is at hand. */
export function fits(request: LoggedRequest, filter: RequestFilter): boolean {
  const { status, since, until, requestId } = filter
  const same = (['partner', 'route', 'method', 'facility'] as const).every(
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
