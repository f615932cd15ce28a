import { type Entry, entryView, refuseFullIds } from '../domain/autocomplete-list.ts'
import type { Facility } from '../domain/facility.ts'
import type { Partner } from '../domain/partner.ts'
import { demandCurrent, type Precondition } from '../domain/precondition.ts'
import { represent } from '../domain/representation.ts'
import { wordBegins } from '../domain/text.ts'
import { shortIdsOf } from '../storage/area.ts'
import { findList, replaceList } from '../storage/autocomplete-list.ts'
import type { Db } from '../storage/database.ts'
import type { Tx } from '../storage/engine.ts'
import { facilityFor } from './lookup.ts'
import { type Ask, cut, decodeCursor, encodeCursor, type Page, type PageRequest } from './page.ts'

export type EntryView = ReturnType<typeof entryView>
export type ListSearch = PageRequest & { q: string | undefined }

export function readList(db: Db, partner: Partner, facilityId: string, ask: Ask<ListSearch>): Promise<Page<EntryView>> {
  return db.read(async (tx) => {
    const { facility } = await facilityFor(tx, partner, { read: 'areas_autocomplete_list' }, facilityId)
    const { q, limit, cursor } = ask()
    const after = decodeCursor('e', cursor, toPlace)
    const entries = (await findList(tx, facility)).map((entry, index) => ({ entry, index }))
    const rest = after === undefined ? entries : entries.slice(placeAfter(entries, after))
    const matches = q === undefined ? () => true : wordBegins(q)
    const found = rest.filter(({ entry }) => matches(entry.name, entry.id))
    const { items, next } = cut(found, limit, ({ entry, index }) => encodeCursor('e', entry.id, index))
    return { items: items.map(({ entry }) => entryView(facility.idExternal, entry)), next }
  })
}

interface EntryPlace {
  id: string
  index: number
}

function toPlace([id, index]: unknown[]): EntryPlace | undefined {
  return typeof id === 'string' && Number.isSafeInteger(index) ? { id, index: index as number } : undefined
}

/** Behind the entry of the cursor, wherever it stands by now; where it stood, when it is gone. */
function placeAfter(entries: { entry: Entry }[], { id, index }: EntryPlace): number {
  const found = entries.findIndex(({ entry }) => entry.id === id)
  return found === -1 ? Math.max(0, index) : found + 1
}

export interface ListView {
  areas_autocomplete_list: EntryView[]
}

export interface ListChange {
  facility: string
  precondition: Precondition
}

/** What can be said of a change before its body is known. Said again inside the change's own transaction. */
export function mayReplaceList(db: Db, partner: Partner, change: ListChange): Promise<unknown> {
  return db.read((tx) => listToReplace(tx, partner, change))
}

export function replaceWholeList(db: Db, partner: Partner, change: ListChange, entries: Entry[]): Promise<ListView> {
  return db.write(async (tx) => {
    const { facility, current } = await listToReplace(tx, partner, change, { lock: true })
    const known = new Set([...current.map(({ id }) => id), ...(await shortIdsOf(tx, facility))])
    refuseFullIds(facility.idExternal, entries, known)
    await replaceList(tx, facility, entries)
    return listView(facility, entries)
  })
}

async function listToReplace(tx: Tx, partner: Partner, change: ListChange, options: { lock?: boolean } = {}) {
  const need = { write: 'areas_autocomplete_list' } as const
  const { facility } = await facilityFor(tx, partner, need, change.facility, options)
  const current = await findList(tx, facility)
  demandCurrent(change.precondition, () => represent(listView(facility, current)).etag)
  return { facility, current }
}

function listView(facility: Facility, entries: Entry[]): ListView {
  return { areas_autocomplete_list: entries.map((entry) => entryView(facility.idExternal, entry)) }
}
