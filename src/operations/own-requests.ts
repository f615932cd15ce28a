import { LogCursors } from '../domain/log-cursor.ts'
import { permit } from '../domain/permission.ts'
import { type LoggedRequest, namesUnknownArea, namesUnknownFacility } from '../domain/request.ts'
import { tokenNames } from '../storage/access/token.ts'
import type { CachedPartner } from '../storage/cached/partner.ts'
import { pageOfRequests, type RequestFilter } from '../storage/cms/request.ts'
import type { Db } from '../storage/database.ts'
import { eventSecret } from '../storage/webhook/event-secret.ts'
import { logPage } from './cms/log-page.ts'
import { cursorRefused, type Page, searchName } from './page.ts'

interface OwnRequestSearch extends Pick<RequestFilter, 'status' | 'code' | 'since' | 'until' | 'requestId'> {
  limit: number
  cursor: string | undefined
}

/** A logged request as the partner that sent it sees it. */
export interface OwnRequest extends Omit<LoggedRequest, 'seq' | 'partner' | 'detail' | 'address'> {
  /** The name of the token that the request used; null when the token was deleted. */
  token: string | null
}

const maxAgeMs = 7 * 86_400_000

/** Lists a partner's requests of the last seven days, newest first. */
export async function findOwnRequests(
  db: Db,
  partner: CachedPartner,
  search: OwnRequestSearch,
): Promise<Page<OwnRequest>> {
  const { limit, cursor, ...filter } = search
  const cursors = new LogCursors(await eventSecret(db), partner.id, searchName('requests', filter))
  const after = cursor === undefined ? undefined : cursors.read(cursor)
  if (cursor !== undefined && after === undefined) throw cursorRefused()
  const oldest = new Date(Date.now() - maxAgeMs).toISOString()
  const since = filter.since !== undefined && filter.since > oldest ? filter.since : oldest
  return db.read(async (tx) => {
    const found = await pageOfRequests(tx, { ...filter, since, partner: partner.id }, after, limit + 1)
    const { items, next } = logPage(found, limit, (last) => cursors.write(last))
    const names = await tokenNames(tx, partner.id)
    return { items: items.map((request) => ownView(partner, request, names)), next }
  })
}

function ownView(partner: CachedPartner, request: LoggedRequest, tokens: Map<string, string>): OwnRequest {
  const { at, method, route, status, code, durationUs, requestId } = request
  const token = tokens.get(request.token ?? '') ?? null
  return { at, method, route, ...placeOf(partner, request), status, code, durationUs, requestId, token }
}

const nowhere = { facility: null, area: null }

/**
 * Returns the facility and the area of a request. Leaves them out if they would reveal that a hidden facility exists.
 * An id that was refused as unknown reveals nothing, because hidden and absent ids are refused alike.
 */
function placeOf(partner: CachedPartner, { facility, area, code }: LoggedRequest): Place {
  if (namesUnknownArea({ code })) return { facility: null, area }
  if (facility === null || namesUnknownFacility({ code })) return { facility, area: null }
  return permit(partner, facility, 'none') === 'hidden' ? nowhere : { facility, area }
}

type Place = Pick<LoggedRequest, 'facility' | 'area'>
