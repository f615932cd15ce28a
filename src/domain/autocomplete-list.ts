import { type EntryView, type LoggedEntryChanges, loggedEntryChanges } from './audit/entry-changes.ts'
import { areEqual, type Bytes, bytesOf, textOf } from './bytes.ts'
import { fullId, otherFacilities, shortIdFault } from './identifier.ts'
import { isObject } from './json.ts'
import { packEntries, unpackEntries } from './packed-list.ts'
import { type Fault, type Refusal, refusalAt, refusalFor } from './refusal.ts'
import { etagOf } from './representation.ts'
import { legacyValue } from './room/legacy-body.ts'
import { hasControlCharacter, isLonger } from './text.ts'

// An autocomplete list is stored as the JSON array of a response, compressed when long, so that a read copies bytes and
// parses nothing. A replacement is parsed, checked and compared in `draftList`, which needs no database and can
// therefore run in a worker thread; checks that need the database follow in the transaction.

/** An entry of the autocomplete list. It need not be a room that exists. */
export interface Entry {
  /** The id of the room within its facility, such as `101`. */
  id: string
  name: string
}

export function entryView(facility: string, entry: Entry): EntryView {
  return { id_external: fullId(facility, entry.id), name: entry.name }
}

/** Serializes entries to the JSON array that responses and the database contain. */
export function entriesJson(facility: string, entries: Entry[]): string {
  return JSON.stringify(entries.map((entry) => entryView(facility, entry)))
}

/** Returns the entries of a stored list with their short ids. */
export function entriesOf(facility: string, stored: Bytes): Entry[] {
  const { length } = fullId(facility, '')
  const views: EntryView[] = JSON.parse(textOf(unpackEntries(stored)))
  return views.map(({ id_external, name }) => ({ id: id_external.slice(length), name }))
}

/** A new autocomplete list, parsed and checked, with all that the transaction needs to store it. */
export interface ListDraft {
  body: Bytes
  etag: string
  /** The JSON array of the entries, which is a part of `body`. */
  entries: Bytes
  /** The JSON array of the entries as the database holds it: compressed when long. */
  stored: Bytes
  count: number
  /** Entries whose id may be, by mistake, a full id (`lyon-01-101`) in place of a short one (`101`). */
  suspects: Suspect[]
  /** Other facilities to which the full ids of the entries could belong; see `otherFacilities`. */
  otherFacilities: string[]
  /** The comparison with the current list; undefined if `draftList` was called without that list. */
  compared?: Compared
}

interface Compared {
  /** The current list as it was stored at the time of the comparison. */
  before: Bytes
  /** The differences between the two lists; undefined when their entries are the same. */
  changes: LoggedEntryChanges | undefined
}

interface Suspect {
  index: number
  /** The id without the prefix of the facility, which may be the intended short id. */
  short: string
}

export interface ListRules {
  facility: string
  /** The maximum number of entries in the list. */
  entries: number
  jsonDepth: number
}

/** The list to be replaced. Known to `draftList` only if a worker thread compares it with a long new one. */
export interface CurrentList {
  /** The JSON array of the entries as the database holds it: compressed when long. */
  before: Bytes
  /** Whether the list may be stored compressed: only if every node of the installation can read that. */
  packs: boolean
}

/**
 * Parses and checks a request body, as far as possible without the database. Returns long values as bytes, which can be
 * transferred between threads without a copy.
 */
export function draftList(body: Uint8Array, rules: ListRules & Partial<CurrentList>): ListDraft {
  const { before, packs, facility } = rules
  const list = parseEntries(legacyValue(body, rules.jsonDepth), rules.entries)
  const response = bytesOf(listJson(entriesJson(facility, list)))
  const entries = response.subarray(listHead.length, -listTail.length)
  const compared = before && { compared: { before, changes: listChanges(before, entries) } }
  const stored = packs ? packEntries(entries) : entries
  const suspects = suspectsAmong(facility, list)
  return {
    body: response,
    etag: etagOf(response),
    entries,
    stored,
    count: list.length,
    suspects,
    otherFacilities: [...otherFacilities(facility, shortIds(list))],
    ...compared,
  }
}

export function shortIds(entries: Entry[]): string[] {
  return entries.map(({ id }) => id)
}

/** Returns undefined when the lists are the same. */
export function listChanges(stored: Bytes, entries: Bytes): LoggedEntryChanges | undefined {
  const present = unpackEntries(stored)
  return areEqual(present, entries) ? undefined : loggedEntryChanges(present, entries)
}

/**
 * Returns the entries before a change whose recorded differences are not enough to undo it: an entry was removed (its
 * position is not recorded), the order changed, or the differences were cut off. Else returns undefined.
 */
export function entriesBefore(
  stored: Bytes,
  { complete, removed, reordered }: LoggedEntryChanges,
): EntryView[] | undefined {
  if (complete && removed.length === 0 && !reordered) return undefined
  return JSON.parse(textOf(unpackEntries(stored)))
}

function suspectsAmong(facility: string, entries: Entry[]): Suspect[] {
  const prefix = fullId(facility, '')
  const suspects: Suspect[] = []
  for (const [index, { id }] of entries.entries()) {
    if (id.startsWith(prefix)) suspects.push({ index, short: id.slice(prefix.length) })
  }
  return suspects
}

/** Wraps the JSON array of an autocomplete list in the object that responses show. */
export function listJson(entries: string): string {
  return `${listHead}${entries}${listTail}`
}

/** Returns the response body of a list; `stored` is the list as the database holds it. */
export function listResponse(stored: Bytes): Bytes {
  const entries = unpackEntries(stored)
  const list = new Uint8Array(headBytes.length + entries.length + tailBytes.length)
  list.set(headBytes)
  list.set(entries, headBytes.length)
  list.set(tailBytes, headBytes.length + entries.length)
  return list
}

export function listEtag(stored: Bytes): string {
  return etagOf(listResponse(stored))
}

// ASCII, so that their length in characters is their length in bytes.
const listHead = '{"areas_autocomplete_list":'
const listTail = '}'
const headBytes = bytesOf(listHead)
const tailBytes = bytesOf(listTail)

const outcome = 'The list was not changed.'

export function parseEntries(value: unknown, maxEntries: number): Entry[] {
  if (!Array.isArray(value)) throw refusalAt('value_not_array', '/value', '"value" must be an array.')
  if (value.length > maxEntries) {
    const detail = `The list can hold at most ${maxEntries} entries; this one has ${value.length}.`
    throw refusalAt('limit_exceeded', '/value', detail)
  }
  if (!value.every(isObject)) throw nonObjects(value)
  const faults: Fault[] = []
  const seen = new Set<string>()
  const entries = value.map((item, index) => parseEntry(item, index, seen, faults))
  if (faults.length > 0) throw refusalFor('item_invalid', outcome, faults)
  return entries
}

function nonObjects(items: unknown[]): Refusal {
  const detail = 'Each entry must be an object with "id_external" and "name".'
  const faults = items.flatMap((item, index) => (isObject(item) ? [] : [{ pointer: `/value/${index}`, detail }]))
  return refusalFor('item_not_object', outcome, faults)
}

function parseEntry(item: Record<string, unknown>, index: number, seen: Set<string>, faults: Fault[]): Entry {
  const { id_external: id, name } = item
  const fault = (key: string, detail: string) => faults.push({ pointer: `/value/${index}/${key}`, detail })
  const idFault = typeof id === 'string' ? shortIdFault(id) : 'must be a string'
  if (idFault !== undefined) fault('id_external', `"id_external" ${idFault}.`)
  else if (seen.has(id as string)) fault('id_external', `The id "${id}" is repeated.`)
  seen.add(id as string)
  const nameFault = entryNameFault(name)
  if (nameFault !== undefined) fault('name', `"name" ${nameFault}.`)
  return { id: id as string, name: name as string }
}

export function entryNameFault(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '' || isLonger(name, 255)) return 'must be a string of 1 to 255 characters'
  return hasControlCharacter(name) ? 'must not contain control characters' : undefined
}

/** Refuses full ids sent as short ones: the part after the facility is a known short id, and the whole is not. */
export function refuseFullIds(facility: string, suspects: Suspect[], known: ReadonlySet<string>): void {
  const faults = suspects.flatMap(({ index, short }): Fault[] => {
    const id = fullId(facility, short)
    if (!known.has(short) || known.has(id)) return []
    const detail = `"${id}" is a full id. Ids are sent in the short form here: did you mean "${short}"?`
    return [{ pointer: `/value/${index}/id_external`, detail }]
  })
  if (faults.length > 0) throw refusalFor('item_invalid', outcome, faults)
}

/** Refuses entries that share a full id with one of `rooms`, the rooms of other facilities that the caller can see. */
export function refuseRoomsElsewhere(
  facility: string,
  entries: Entry[],
  rooms: { idExternal: string; short: string; facility: string }[],
): void {
  const indexes = new Map(entries.map(({ id }, index) => [fullId(facility, id), index]))
  const faults = rooms.flatMap((room): Fault[] => {
    const index = indexes.get(room.idExternal)
    if (index === undefined) return []
    const detail = `"${room.idExternal}" is the full id of the area "${room.short}" of facility ${room.facility}.`
    return [{ pointer: `/value/${index}/id_external`, detail }]
  })
  if (faults.length > 0) throw refusalFor('value_invalid', outcome, faults)
}
