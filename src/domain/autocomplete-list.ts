import { type EntryView, type LoggedEntryChanges, loggedEntryChanges } from './audit/entry-changes.ts'
import { areEqual, type Bytes, bytesOf, textOf } from './bytes.ts'
import { fullId, otherFacilities, shortIdFault } from './identifier.ts'
import { isObject } from './json.ts'
import { packEntries, unpackEntries } from './packed-list.ts'
import { type Fault, type Refusal, refusalAt, refusalFor } from './refusal.ts'
import { etagOf } from './representation.ts'
import { legacyValue } from './room/legacy-body.ts'
import { hasControlCharacter, isLonger } from './text.ts'

/** An entry of the list that installation tools offer. It needs no area. */
export interface Entry {
  /** The short id. */
  id: string
  name: string
}

export function entryView(facility: string, entry: Entry): EntryView {
  return { id_external: fullId(facility, entry.id), name: entry.name }
}

/** As they are answered, and as short lists are kept. */
export function entriesJson(facility: string, entries: Entry[]): string {
  return JSON.stringify(entries.map((entry) => entryView(facility, entry)))
}

/** The entries that are kept so. */
export function entriesOf(facility: string, kept: Bytes): Entry[] {
  const { length } = fullId(facility, '')
  const views: EntryView[] = JSON.parse(textOf(unpackEntries(kept)))
  return views.map(({ id_external, name }) => ({ id: id_external.slice(length), name }))
}

/** A list that is to replace another: checked, and as it will be kept and answered. */
export interface ListDraft {
  /** The list as it will be answered. */
  body: Bytes
  etag: string
  /** As `entriesJson` writes them: a part of the answer. */
  entries: Bytes
  /** As they will be kept. */
  kept: Bytes
  count: number
  /** Entries whose id may be a full one. */
  suspects: Suspect[]
  /** Other facilities that the full ids could belong to. */
  otherFacilities: string[]
  /** What became of the comparison with the entries that there were, where it was made with the draft. */
  compared?: Compared
}

interface Compared {
  /** As they were kept. */
  before: Bytes
  /** Nothing when the entries are the same. */
  changes: LoggedEntryChanges | undefined
}

interface Suspect {
  index: number
  /** What would be the short id. */
  short: string
}

export interface ListRules {
  facility: string
  /** How many there may be. */
  entries: number
  jsonDepth: number
}

/** What there is, for a list that is long enough to be drafted with it. */
export interface CurrentList {
  /** The entries, as they are kept, to be compared with those that come. */
  before: Bytes
  /** Whether those may be packed. */
  packs: boolean
}

/**
 * All that can be done with the body of a replacement before anything is looked up. Texts that are as long as the list
 * come and go as bytes, which a thread can hand over.
 */
export function draftList(body: Uint8Array, rules: ListRules & Partial<CurrentList>): ListDraft {
  const { before, packs, facility } = rules
  const list = parseEntries(legacyValue(body, rules.jsonDepth), rules.entries)
  const answer = bytesOf(listJson(entriesJson(facility, list)))
  const entries = answer.subarray(listHead.length, -listTail.length)
  const compared = before && { compared: { before, changes: listChanges(before, entries) } }
  const kept = packs ? packEntries(entries) : entries
  const suspects = suspectsAmong(facility, list)
  const others = [...otherFacilities(facility, shortIds(list))]
  return {
    body: answer,
    etag: etagOf(answer),
    entries,
    kept,
    count: list.length,
    suspects,
    otherFacilities: others,
    ...compared,
  }
}

/** Returns the short ids of these entries. */
export function shortIds(entries: Entry[]): string[] {
  return entries.map(({ id }) => id)
}

/** What these entries change of a list that is kept so; nothing when they are the same. */
export function listChanges(kept: Bytes, entries: Bytes): LoggedEntryChanges | undefined {
  const present = unpackEntries(kept)
  return areEqual(present, entries) ? undefined : loggedEntryChanges(present, entries)
}

/**
 * The entries before a change, where its `changes` alone do not lead back to them: something was removed, whose place is
 * not told, the order is another, or not all is named.
 */
export function entriesBefore(
  kept: Bytes,
  { complete, removed, reordered }: LoggedEntryChanges,
): EntryView[] | undefined {
  if (complete && removed.length === 0 && !reordered) return undefined
  return JSON.parse(textOf(unpackEntries(kept)))
}

function suspectsAmong(facility: string, entries: Entry[]): Suspect[] {
  const prefix = fullId(facility, '')
  const suspects: Suspect[] = []
  for (const [index, { id }] of entries.entries()) {
    if (id.startsWith(prefix)) suspects.push({ index, short: id.slice(prefix.length) })
  }
  return suspects
}

/** The list as it is answered. */
export function listJson(entries: string): string {
  return `${listHead}${entries}${listTail}`
}

/** The list that is kept so, as it is answered. */
export function listResponse(kept: Bytes): Bytes {
  const entries = unpackEntries(kept)
  const list = new Uint8Array(headBytes.length + entries.length + tailBytes.length)
  list.set(headBytes)
  list.set(entries, headBytes.length)
  list.set(tailBytes, headBytes.length + entries.length)
  return list
}

/** Its tag. */
export function listEtag(kept: Bytes): string {
  return etagOf(listResponse(kept))
}

// In plain letters, so that each is a byte.
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

/**
 * The one trap of the short form: a caller that sends the full id of something known would get the prefix twice. It is
 * refused with the short id that was probably meant; nothing is guessed.
 */
export function refuseFullIds(facility: string, suspects: Suspect[], known: ReadonlySet<string>): void {
  const faults = suspects.flatMap(({ index, short }): Fault[] => {
    const id = fullId(facility, short)
    if (!known.has(short) || known.has(id)) return []
    const detail = `"${id}" is a full id. Ids are sent in the short form here: did you mean "${short}"?`
    return [{ pointer: `/value/${index}/id_external`, detail }]
  })
  if (faults.length > 0) throw refusalFor('item_invalid', outcome, faults)
}

/** Refuses entries whose full id is that of a room in another facility that the caller can see. */
export function refuseRoomsElsewhere(
  facility: string,
  entries: Entry[],
  rooms: { idExternal: string; short: string; facility: string }[],
): void {
  const places = new Map(entries.map(({ id }, index) => [fullId(facility, id), index]))
  const faults = rooms.flatMap((room): Fault[] => {
    const index = places.get(room.idExternal)
    if (index === undefined) return []
    const detail = `"${room.idExternal}" is the full id of the area "${room.short}" of facility ${room.facility}.`
    return [{ pointer: `/value/${index}/id_external`, detail }]
  })
  if (faults.length > 0) throw refusalFor('value_invalid', outcome, faults)
}
