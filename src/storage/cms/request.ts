import { sql } from 'kysely'
import type { LogPosition } from '../../domain/log-cursor.ts'
import type { LoggedRequest } from '../../domain/request.ts'
import type { Tx } from '../engine.ts'
import { statement } from '../statement.ts'
import { given, type LogRows, newestFirst } from './newest-first.ts'

export interface RequestFilter {
  partner?: string | undefined
  /** The lowest and the highest response status to find, both inclusive. */
  status?: readonly [number, number] | undefined
  route?: string | undefined
  method?: string | undefined
  facility?: string | undefined
  requestId?: string | undefined
  /** The code of the problem with which a request was refused, such as `area_not_found`. */
  code?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

type Row = Omit<LoggedRequest, 'durationUs' | 'requestId'> & {
  duration_us: number
  request_id: string
  rooms_needed?: string | null
}

export async function pageOfRequests(
  tx: Tx,
  filter: RequestFilter,
  after: LogPosition | undefined,
  limit: number,
): Promise<LogRows<LoggedRequest>> {
  const { rows, scannedTo } = await newestFirst<Row>(tx, {
    table: 'request_log',
    indexed: [
      ...given(filter.partner, (partner) => sql`partner = ${partner}`),
      ...given(filter.requestId, (id) => sql`request_id = ${id}`),
      ...given(filter.since, (since) => sql`at >= ${since}`),
      ...given(filter.until, (until) => sql`at < ${until}`),
    ],
    scanned: [
      ...given(filter.status, ([first, last]) => sql`status between ${first} and ${last}`),
      ...given(filter.route, (route) => sql`route = ${route}`),
      ...given(filter.method, (method) => sql`method = ${method}`),
      ...given(filter.code, (code) => sql`code = ${code}`),
      ...given(filter.facility, (facility) => sql`facility = ${facility}`),
    ],
    after,
    limit,
  })
  return { rows: rows.map(toRequest), scannedTo }
}

const later = statement<Row>(`
  select seq, at, partner, token, method, route, facility, area, status, code, detail, duration_us, request_id, address
  from request_log where seq > $1 order by seq desc limit $2`)

/** Returns the newest requests with log numbers above `seq`, oldest first. */
export async function requestsAfter(tx: Tx, seq: number, limit: number): Promise<LoggedRequest[]> {
  return (await tx.rows(later, seq, limit)).map(toRequest).reverse()
}

function toRequest({ duration_us: durationUs, request_id: requestId, rooms_needed: _, ...row }: Row): LoggedRequest {
  return { ...row, durationUs, requestId }
}
