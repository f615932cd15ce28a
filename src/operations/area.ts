import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { CachedResponse } from '../cache/response-cache.ts'
import { fullId, naturalKey, shortIdFault } from '../domain/identifier.ts'
import { Refusal } from '../domain/refusal.ts'
import { parseSubscription, subscriptionsIn, withServices } from '../domain/room/stored-room.ts'
import { isActive } from '../domain/room/subscription.ts'
import { roomMatcher } from '../domain/text.ts'
import { nowIso, parseDateTime } from '../domain/time.ts'
import { type AreaText, areasBody, areaText } from '../storage/area.ts'
import { type AreaPosition, filterAreas, type ListedArea, listAreas } from '../storage/area-list.ts'
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
  type Page,
  type PageRequest,
  type PageText,
  type ParseQuery,
  pageText,
  searchName,
  toPage,
  withLookahead,
} from './page.ts'

/** The query parameter `active_at`, not yet parsed. */
export interface ActiveAt {
  active_at: string | undefined
}

type AreaSearch = PageRequest &
  ActiveAt & {
    q: string | undefined
    open?: boolean | undefined
    service?: string | undefined
    changed_since?: string | undefined
  }

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
  const at = parseActiveAt(search, facility.timezone, partner.aheadMs)
  const changedSince = parseChangedSince(search.changed_since, facility.timezone)
  const { items, next } = await db.read((tx) => areasIn(tx, facility, { ...search, at, changedSince }))
  return pageText(`[${items.map(shownAt(at)).join()}]`, next)
}

type ParsedSearch = AreaSearch & { at: string | undefined; changedSince: string | undefined }

async function areasIn(tx: Tx, facility: CachedFacility, search: ParsedSearch): Promise<Page<ListedArea>> {
  const { limit, cursor, at: _, changedSince: __, ...filters } = search
  const list = searchName('a', filters, String(facility.id))
  const after = decodeCursor(list, cursor, toPlace)
  return toPage(await matchingAreas(tx, facility, search, after), limit, ({ short }) => encodeCursor(list, short))
}

/**
 * How many rooms one query reads for a filter by name or service. Such queries return too many rooms, because SQL
 * cannot compare names or parse services; this process drops those that do not match.
 */
const roomsPerBatch = 1000

/** Returns up to one more than the page limit, which shows that there is a next page. */
async function matchingAreas(
  tx: Tx,
  facility: CachedFacility,
  search: ParsedSearch,
  after: AreaPosition | undefined,
): Promise<ListedArea[]> {
  const { q, service: code, open, changedSince, at } = search
  const wanted = withLookahead(search.limit) ?? Number.MAX_SAFE_INTEGER
  const isNamed = q === undefined ? undefined : roomMatcher(q, fullId(facility.idExternal, ''))
  const matches = (area: ListedArea) =>
    (isNamed === undefined || isNamed(area.name, area.short)) && (code === undefined || hasService(area, code, at))
  const filter = { open, changedSince, code }
  const next = (from: AreaPosition | undefined, limit: number) =>
    isWholeList(filter) ? listAreas(tx, facility.id, from, limit) : filterAreas(tx, facility.id, filter, from, limit)
  if (isNamed === undefined && code === undefined) return next(after, wanted)
  const found: ListedArea[] = []
  for (let from = after; ; ) {
    const areas = await next(from, roomsPerBatch)
    for (const area of areas) if (matches(area) && found.push(area) === wanted) return found
    if (areas.length < roomsPerBatch) return found
    from = areas.at(-1)
    await yieldToEventLoop()
  }
}

/** Returns whether a room has a subscription with this code and, if `at` is set, one that is active at that time. */
function hasService({ json, lengths }: ListedArea, code: string, at: string | undefined): boolean {
  return subscriptionsIn(json, lengths).some((text) => {
    const subscription = parseSubscription(text)
    return subscription.code === code && (at === undefined || isActive(subscription, at))
  })
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
  const at = parseActiveAt(parseQuery(), facility.timezone, partner.aheadMs)
  const area = await areaText(db.ask, fullId, facility.id)
  if (area === undefined) throw missingArea()
  return shownAt(at)(area)
}

/** Returns the serializer of an area. With `at`, it shows only the services that are active at that time. */
function shownAt(at: string | undefined): (area: AreaText) => string {
  if (at === undefined) return ({ json }) => json
  return ({ json, lengths }) => withServices(json, lengths, (text) => isActive(parseSubscription(text), at))
}

function parseChangedSince(text: string | undefined, timezone: string): string | undefined {
  if (text === undefined) return undefined
  const since = parseDateTime(text, 'start', timezone)
  if (since !== undefined) return since
  const detail = 'The query parameter "changed_since" must be a date-time in ISO 8601, with a "+" written as %2B.'
  throw new Refusal('parameter_invalid', detail)
}

/** Parses `active_at`. The value `now` means real time plus `aheadMs`, by which a sandbox's clock is ahead. */
export function parseActiveAt({ active_at: text }: ActiveAt, timezone: string, aheadMs: number): string | undefined {
  if (text === undefined) return undefined
  const at = text === 'now' ? nowIso(aheadMs) : parseDateTime(text, 'start', timezone)
  if (at !== undefined) return at
  const detail = 'The query parameter "active_at" must be "now" or a date-time in ISO 8601, with a "+" written as %2B.'
  throw new Refusal('parameter_invalid', detail)
}
