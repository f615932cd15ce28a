import type { CachedResponse } from '../cache/response-cache.ts'
import { auditTimestamp } from '../domain/audit/audit.ts'
import { type EntryChanges, entryChanges, type LoggedEntryChanges } from '../domain/audit/entry-changes.ts'
import {
  type CurrentList,
  type Entry,
  entriesBefore,
  entriesOf,
  entryView,
  type ListDraft,
  listChanges,
  listEtag,
  refuseFullIds,
  refuseRoomsElsewhere,
  shortIds,
} from '../domain/autocomplete-list.ts'
import { areEqual, type Bytes } from '../domain/bytes.ts'
import { fullId } from '../domain/identifier.ts'
import { unpackEntries } from '../domain/packed-list.ts'
import { accessTo } from '../domain/permission.ts'
import { type Precondition, requireEtag } from '../domain/precondition.ts'
import { roomMatcher } from '../domain/text.ts'
import { nowIso } from '../domain/time.ts'
import { areaNames } from '../storage/area-list.ts'
import { recordAudits } from '../storage/audit/audit.ts'
import {
  canPackLists,
  findList,
  listBody,
  loadStoredList,
  replaceList,
  type StoredList,
} from '../storage/autocomplete-list.ts'
import type { CachedFacility } from '../storage/cached/facility.ts'
import type { CachedPartner } from '../storage/cached/partner.ts'
import type { Db } from '../storage/database.ts'
import type { Tx } from '../storage/engine.ts'
import { lockFacility } from '../storage/facility.ts'
import type { Caller } from './access/authenticate.ts'
import { loadResponse, needs } from './access/cached-read.ts'
import { facilityFor, missingFacility, reauthenticate } from './access/lookup.ts'
import { roomsElsewhere } from './full-ids.ts'
import {
  decodeCursor,
  encodeCursor,
  isWholeList,
  listName,
  type PageRequest,
  type PageText,
  type ParseQuery,
  pageText,
  toPage,
} from './page.ts'

type ListSearch = PageRequest & { q: string | undefined }

export async function readList(
  db: Db,
  partner: CachedPartner,
  facilityId: string,
  parseQuery: ParseQuery<ListSearch>,
): Promise<CachedResponse | PageText> {
  const { facility, access } = await facilityFor(db.cache, partner, needs.list, facilityId)
  const search = parseQuery()
  if (isWholeList(search)) {
    return loadResponse(db.cache, access, 'list', facility.idExternal, () => listBody(db.ask, facility.id))
  }
  const { q, limit, cursor } = search
  const name = listName('e', facility.id, q)
  const after = decodeCursor(name, cursor, toPlace)
  const all = await db.read((tx) => findList(tx, facility))
  const entries = all.map((entry, index) => ({ entry, index }))
  const rest = after === undefined ? entries : entries.slice(placeAfter(entries, after))
  const matches = q === undefined ? () => true : roomMatcher(q, fullId(facility.idExternal, ''))
  const found = rest.filter(({ entry }) => matches(entry.name, entry.id))
  const { items, next } = toPage(found, limit, ({ entry, index }) => encodeCursor(name, entry.id, index))
  const views = items.map(({ entry }) => entryView(facility.idExternal, entry))
  return pageText(JSON.stringify({ areas_autocomplete_list: views }), next)
}

interface EntryPlace {
  id: string
  index: number
}

function toPlace([id, index]: unknown[]): EntryPlace | undefined {
  return typeof id === 'string' && Number.isSafeInteger(index) ? { id, index: index as number } : undefined
}

/**
 * Returns the index at which the next page begins: after the entry that the cursor names, wherever that is now. If the
 * entry was removed, the page begins at the index that it had.
 */
function placeAfter(entries: { entry: Entry }[], { id, index }: EntryPlace): number {
  const found = entries.findIndex(({ entry }) => entry.id === id)
  return found === -1 ? Math.max(0, index) : found + 1
}

interface ListChange {
  facility: string
  precondition: Precondition
}

const need = { write: 'areas_autocomplete_list' } as const

/** Checks permission and If-Match before the body is read. The transaction of the change repeats these checks. */
export async function assertCanReplaceList(db: Db, partner: CachedPartner, change: ListChange): Promise<void> {
  const { facility } = await facilityFor(db.cache, partner, need, change.facility)
  if (change.precondition.etags === undefined) return
  const { stored } = await loadStoredList(db.ask, facility.id)
  requireEtag(change.precondition, () => listEtag(stored))
}

/** Returns the body and the ETag of the response, which contains the new list. */
export async function replaceWholeList(
  db: Db,
  caller: Caller,
  { facility: idExternal, precondition }: ListChange,
  draft: ListDraft,
): Promise<Pick<ListDraft, 'body' | 'etag'>> {
  return db.write(async (tx) => {
    const locked = lockFacility(tx, idExternal)
    const [found, partner] = await Promise.all([locked, reauthenticate(tx, db.cache, caller)])
    await facilityFor(db.cache, partner, need, idExternal)
    if (found === undefined) throw missingFacility(partner)
    const before = await listToReplace(tx, { id: found.id, idExternal }, { partner, precondition }, draft)
    const changes = changesOf(before.stored, draft)
    if (changes !== undefined) {
      replaceList(tx, found.id, draft)
      const counts = { before: before.count, after: draft.count, after_tag: draft.etag }
      const list = { key: 'areas_autocomplete_list', before: entriesBefore(before.stored, changes) }
      const detail = { ...counts, ...changes, ...(list.before && { changes: [list] }) }
      const about = { actor: caller.actor, facility: idExternal }
      const { aheadMs } = partner
      const entry = { ...about, ...auditTimestamp(nowIso(aheadMs), aheadMs, detail) }
      await recordAudits(tx, [{ ...entry, action: 'autocomplete_list.replace' }])
    }
    return draft
  })
}

/** Uses the comparison that a worker thread made before the transaction, unless the list has changed since. */
function changesOf(present: Bytes, { entries, compared }: ListDraft): LoggedEntryChanges | undefined {
  const isOfPresent = compared !== undefined && areEqual(compared.before, present)
  return isOfPresent ? compared.changes : listChanges(present, entries)
}

/** Returns the stored list, with which a worker thread compares a large new one. Checks permission. */
export async function loadCurrentList(
  db: Db,
  partner: CachedPartner,
  { facility: id }: ListChange,
): Promise<CurrentList> {
  const { facility } = await facilityFor(db.cache, partner, need, id)
  const [{ stored }, packs] = await Promise.all([loadStoredList(db.ask, facility.id), canPackLists(db.ask, Date.now())])
  return { before: stored, packs }
}

/** Returns the stored list, if the new one (`draft`) may replace it. */
async function listToReplace(
  tx: Tx,
  facility: Pick<CachedFacility, 'id' | 'idExternal'>,
  { partner, precondition }: { partner: CachedPartner; precondition: Precondition },
  draft: ListDraft,
): Promise<StoredList> {
  const before = await loadStoredList(tx.rows, facility.id)
  requireEtag(precondition, () => listEtag(before.stored))
  if (draft.suspects.length > 0) {
    const known = [...entriesOf(facility.idExternal, before.stored), ...(await areaNames(tx, facility.id))]
    refuseFullIds(facility.idExternal, draft.suspects, new Set(shortIds(known)))
  }
  // Drops facilities hidden from the partner before any query, so that neither the result nor its timing reveals them.
  const others = draft.otherFacilities.filter((id) => accessTo(partner, id) !== undefined)
  if (others.length > 0) {
    const entries = entriesOf(facility.idExternal, draft.entries)
    const listed = { facility: facility.idExternal, others, shorts: () => shortIds(entries) }
    const rooms = await roomsElsewhere(tx, listed)
    refuseRoomsElsewhere(facility.idExternal, entries, rooms)
  }
  return before
}

/** Requires the right to read the list, because the result of a dry run shows its present entries. */
export async function assertCanDryRunList(db: Db, partner: CachedPartner, { facility }: ListChange): Promise<void> {
  await facilityFor(db.cache, partner, { read: 'areas_autocomplete_list' }, facility)
}

export async function dryRunList(
  db: Db,
  partner: CachedPartner,
  { facility: idExternal, precondition }: ListChange,
  draft: ListDraft,
): Promise<EntryChanges> {
  const { facility } = await facilityFor(db.cache, partner, { read: 'areas_autocomplete_list' }, idExternal)
  const { stored } = await db.read((tx) => listToReplace(tx, facility, { partner, precondition }, draft))
  return entryChanges(unpackEntries(stored), draft.entries, Infinity)
}
