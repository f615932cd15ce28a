import { type Bytes, bytesOf, textOf } from './bytes.ts'
import { fullId, shortIdFault } from './identifier.ts'
import { isObject } from './json.ts'
import { legacyValue } from './legacy-body.ts'
import { type Fault, refusalAt, refusalFor } from './refusal.ts'
import { etagOf } from './representation.ts'
import { characters, hasControlCharacter } from './text.ts'

/** An entry of the list that installation tools offer. It needs no area. */
export interface Entry {
  /** The short id. */
  id: string
  name: string
}

export function entryView(facility: string, entry: Entry) {
  return { id_external: fullId(facility, entry.id), name: entry.name }
}

/** As it is kept and answered. */
export function entriesJson(facility: string, entries: Entry[]): string {
  return JSON.stringify(entries.map((entry) => entryView(facility, entry)))
}

/** What `entriesJson` wrote. */
export function entriesOf(facility: string, json: string): Entry[] {
  const { length } = fullId(facility, '')
  const views = JSON.parse(json) as ReturnType<typeof entryView>[]
  return views.map(({ id_external, name }) => ({ id: id_external.slice(length), name }))
}

/** A list that is to replace another: checked, and as it will be kept and answered. */
export interface ListDraft {
  /** The list as it will be answered. */
  answer: Bytes
  etag: string
  /** As `entriesJson` writes them: a part of the answer. */
  entries: Bytes
  count: number
  /** Entries whose id may be a full one. */
  suspects: Suspect[]
  /** What it would change, where that was found out with it. */
  changes?: EntryChanges
}

/** With the entries that it was compared with. */
export interface ComparedDraft extends ListDraft {
  before?: Bytes
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
  /** The entries that there are, to be compared with those that come. */
  before?: Bytes
}

/**
 * All that can be done with the body of a replacement before anything is looked up. Texts that are as long as the list
 * come and go as bytes, which a thread can hand over.
 */
export function draftList(body: Uint8Array, { facility, entries: atMost, jsonDepth, before }: ListRules): ListDraft {
  const parsed = parseEntries(legacyValue(body, jsonDepth), atMost)
  const json = entriesJson(facility, parsed)
  const answer = bytesOf(listJson(json))
  const entries = answer.subarray(listHead.length, -listTail.length)
  const prefix = fullId(facility, '')
  const suspects = parsed.flatMap(({ id }, index) =>
    id.startsWith(prefix) ? [{ index, short: id.slice(prefix.length) }] : [],
  )
  const compared = before !== undefined && { changes: entryChanges(textOf(before), json) }
  return { answer, etag: etagOf(answer), entries, count: parsed.length, suspects, ...compared }
}

/** The list as it is answered. */
export function listJson(entries: string): string {
  return `${listHead}${entries}${listTail}`
}

/** The tag of the list that has these entries. */
export function listTag(entries: Bytes): string {
  return etagOf(Buffer.concat([bytesOf(listHead), entries, bytesOf(listTail)]))
}

// In plain letters, so that each is a byte.
const listHead = '{"areas_autocomplete_list":'
const listTail = '}'

const outcome = 'The list was not changed.'

export function parseEntries(value: unknown, entriesAtMost: number): Entry[] {
  if (!Array.isArray(value)) throw refusalAt('value_not_array', '/value', '"value" must be an array.')
  if (value.length > entriesAtMost) {
    const detail = `The list can hold at most ${entriesAtMost} entries; this one has ${value.length}.`
    throw refusalAt('limit_exceeded', '/value', detail)
  }
  const strangers = value.flatMap((item, index) => (isObject(item) ? [] : [index]))
  if (strangers.length > 0) {
    const detail = 'Each entry must be an object with "id_external" and "name".'
    throw refusalFor(
      'item_not_object',
      outcome,
      strangers.map((index) => ({ pointer: `/value/${index}`, detail })),
    )
  }
  const faults: Fault[] = []
  const seen = new Set<string>()
  const entries = value.map((item, index) => parseEntry(item, `/value/${index}`, seen, faults))
  if (faults.length > 0) throw refusalFor('item_invalid', outcome, faults)
  return entries
}

function parseEntry(item: Record<string, unknown>, pointer: string, seen: Set<string>, faults: Fault[]): Entry {
  const { id_external: id, name } = item
  const idFault = typeof id === 'string' ? shortIdFault(id) : 'must be a string'
  if (idFault !== undefined) faults.push({ pointer: `${pointer}/id_external`, detail: `"id_external" ${idFault}.` })
  else if (seen.has(id as string))
    faults.push({ pointer: `${pointer}/id_external`, detail: `The id "${id}" is repeated.` })
  seen.add(id as string)
  const nameFault = entryNameFault(name)
  if (nameFault !== undefined) faults.push({ pointer: `${pointer}/name`, detail: `"name" ${nameFault}.` })
  return { id: id as string, name: name as string }
}

export function entryNameFault(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '' || characters(name) > 255)
    return 'must be a string of 1 to 255 characters'
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

/** What a replacement did to a list. As many as fit are named; `complete` says whether that is all. */
export interface EntryChanges {
  added: EntryView[]
  removed: EntryView[]
  renamed: { id_external: string; old: string; new: string }[]
  complete: boolean
}

export type EntryView = ReturnType<typeof entryView>

/** Of each kind. */
const namedAtMost = 100

/** `before` and `after` are as `entriesJson` writes them. */
export function entryChanges(before: string, after: string, atMost = namedAtMost): EntryChanges {
  const [from, to] = differentPart(before, after)
  const known = new Map(from.map(({ id_external, name }) => [id_external, name]))
  const kept = new Set(to.map(({ id_external }) => id_external))
  const added = to.filter(({ id_external }) => !known.has(id_external))
  const removed = from.filter(({ id_external }) => !kept.has(id_external))
  const renamed = to.flatMap(({ id_external, name }) => {
    const old = known.get(id_external)
    return old === undefined || old === name ? [] : [{ id_external, old, new: name }]
  })
  const complete = [added, removed, renamed].every(({ length }) => length <= atMost)
  const named = <T>(list: T[]) => list.slice(0, atMost)
  return { added: named(added), removed: named(removed), renamed: named(renamed), complete }
}

const between = '},{"id_external":"'

/** Without the entries with which both begin: those are most of a long list that was touched here and there. */
function differentPart(before: string, after: string): [EntryView[], EntryView[]] {
  const length = Math.min(before.length, after.length)
  let same = 0
  while (same < length && before[same] === after[same]) same++
  // No text of an entry holds these quotes: there they would be escaped.
  const start = before.lastIndexOf(between, same - between.length)
  const rest = (json: string): EntryView[] => JSON.parse(start === -1 ? json : `[${json.slice(start + 2)}`)
  return [rest(before), rest(after)]
}
