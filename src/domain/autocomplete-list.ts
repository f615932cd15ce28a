import { fullId, shortIdFault } from './identifier.ts'
import { isObject } from './json.ts'
import { type Fault, refusalAt, refusalFor } from './refusal.ts'
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

/** The list as it is answered. */
export function listJson(entries: string): string {
  return `{"areas_autocomplete_list":${entries}}`
}

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
export function refuseFullIds(facility: string, entries: Entry[], known: ReadonlySet<string>): void {
  const faults: Fault[] = []
  entries.forEach(({ id }, index) => {
    const prefix = fullId(facility, '')
    if (!id.startsWith(prefix) || !known.has(id.slice(prefix.length)) || known.has(id)) return
    const detail = `"${id}" is a full id. Ids are sent in the short form here: did you mean "${id.slice(prefix.length)}"?`
    faults.push({ pointer: `/value/${index}/id_external`, detail })
  })
  if (faults.length > 0) throw refusalFor('item_invalid', outcome, faults)
}
