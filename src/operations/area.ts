import type { CachedResponse } from '../cache/response-cache.ts'
import { fullId, naturalKey, shortIdFault } from '../domain/identifier.ts'
import { Refusal } from '../domain/refusal.ts'
import { parseSubscription, withServices } from '../domain/room/stored-room.ts'
import { isActive } from '../domain/room/subscription.ts'
import { roomMatcher } from '../domain/text.ts'
import { nowIso, parseDateTime } from '../domain/time.ts'
import { type AreaPosition, areasBody, areaText, type ListedArea, listAreas } from '../storage/area.ts'
import type { CachedFacility } from '../storage/cached/facility.ts'
import type { CachedPartner } from '../storage/cached/partner.ts'
import type { Db } from '../storage/database.ts'
import type { Tx } from '../storage/engine.ts'
import { loadResponse, needs } from './access/cached-read.ts'
import { areaFor, facilityFor, missingArea } from './access/lookup.ts'
import {
  decodeCursor,
  encodeCursor,
  isWholeList,
  listName,
  type Page,
  type PageRequest,
  type PageText,
  type ParseQuery,
  pageText,
  toPage,
  withLookahead,
} from './page.ts'

/** The query parameter `active_at`, not yet parsed. */
export interface ActiveAt {
  active_at: string | undefined
}

export type AreaSearch = PageRequest & ActiveAt & { q: string | undefined }

export async function listVisibleAreas(
  db: Db,
  partner: CachedPartner,
  facilityId: string,
  parseQuery: ParseQuery<AreaSearch>,
): Promise<CachedResponse | PageText> {
  const { facility, access } = await facilityFor(db.cache, partner, needs.areas, facilityId)
  const search = parseQuery()
  if (isWholeList(search)) {
    return loadResponse(db.cache, access, 'areas', facility.idExternal, () => areasBody(db.ask, facility.id))
  }
  const shown = shownAt(search, facility.timezone, partner.aheadMs)
  const { items, next } = await db.read((tx) => areasIn(tx, facility, search))
  return pageText(`[${items.map(shown).join()}]`, next)
}

async function areasIn(tx: Tx, facility: CachedFacility, search: AreaSearch): Promise<Page<ListedArea>> {
  const { q, limit, cursor, active_at } = search
  const list = listName('a', facility.id, q, active_at)
  const after = decodeCursor(list, cursor, toPlace)
  const cursorOf = ({ short }: ListedArea) => encodeCursor(list, short)
  if (q === undefined) return toPage(await listAreas(tx, facility.id, after, withLookahead(limit)), limit, cursorOf)
  const areas = await listAreas(tx, facility.id, after)
  const matches = roomMatcher(q, fullId(facility.idExternal, ''))
  return toPage(
    areas.filter(({ name, short }) => matches(name, short)),
    limit,
    cursorOf,
  )
}

function toPlace([short]: unknown[]): AreaPosition | undefined {
  const usable = typeof short === 'string' && shortIdFault(short) === undefined
  return usable ? { sortKey: naturalKey(short), short } : undefined
}

export async function readArea(
  db: Db,
  partner: CachedPartner,
  fullId: string,
  parseQuery: ParseQuery<ActiveAt>,
): Promise<string> {
  const { facility } = await areaFor(db.cache, partner, { read: 'areas' }, fullId)
  const shown = shownAt(parseQuery(), facility.timezone, partner.aheadMs)
  const area = await areaText(db.ask, fullId, facility.id)
  if (area === undefined) throw missingArea()
  return shown(area)
}

/** Returns the function that serializes an area for a response: with all services, or those active at the given time. */
function shownAt(
  asked: ActiveAt,
  timezone: string,
  aheadMs: number,
): (area: Pick<ListedArea, 'json' | 'lengths'>) => string {
  const at = parseActiveAt(asked, timezone, aheadMs)
  if (at === undefined) return ({ json }) => json
  return ({ json, lengths }) => withServices(json, lengths, (text) => isActive(parseSubscription(text), at))
}

/**
 * Parses `active_at`. `aheadMs` is how far the clock of a sandbox is ahead, for the value `now`. Returns undefined when
 * the parameter was not sent.
 */
export function parseActiveAt({ active_at: text }: ActiveAt, timezone: string, aheadMs: number): string | undefined {
  if (text === undefined) return undefined
  const at = text === 'now' ? nowIso(aheadMs) : parseDateTime(text, 'start', timezone)
  if (at !== undefined) return at
  const detail = 'The query parameter "active_at" must be "now" or a date-time in ISO 8601, with a "+" written as %2B.'
  throw new Refusal('parameter_invalid', detail)
}
