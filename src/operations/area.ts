import { naturalKey, shortIdFault } from '../domain/identifier.ts'
import { representJson } from '../domain/representation.ts'
import { wordBegins } from '../domain/text.ts'
import { type AreaPlace, areaJson, areasJson, type ListedArea, listAreas } from '../storage/area.ts'
import type { Db } from '../storage/database.ts'
import type { Tx } from '../storage/engine.ts'
import type { KeptAnswer } from '../storage/memory/answers.ts'
import type { KnownFacility } from '../storage/memory/facilities.ts'
import { slots } from '../storage/memory/memory.ts'
import type { KnownPartner } from '../storage/memory/partners.ts'
import { areaFor, facilityFor, missingArea } from './lookup.ts'
import {
  type Ask,
  andOne,
  cut,
  decodeCursor,
  encodeCursor,
  isWhole,
  type Page,
  type PageRequest,
  type PageText,
} from './page.ts'

export type AreaSearch = PageRequest & { q: string | undefined }

export async function listVisibleAreas(
  db: Db,
  partner: KnownPartner,
  facilityId: string,
  ask: Ask<AreaSearch>,
): Promise<KeptAnswer | PageText> {
  const { facility } = await facilityFor(db.memory, partner, { read: 'areas' }, facilityId)
  const search = ask()
  if (isWhole(search)) return db.memory.answer(facility, 'areas', slots.areas, () => areasJson(db.ask, facility.id))
  const { items, next } = await db.read((tx) => areasIn(tx, facility, search))
  return { ...representJson(`[${items.map(({ json }) => json).join()}]`), next }
}

async function areasIn(tx: Tx, facility: KnownFacility, { q, limit, cursor }: AreaSearch): Promise<Page<ListedArea>> {
  const after = decodeCursor('a', cursor, toPlace)
  const cursorOf = ({ short }: ListedArea) => encodeCursor('a', short)
  if (q === undefined) return cut(await listAreas(tx, facility.id, after, andOne(limit)), limit, cursorOf)
  const areas = await listAreas(tx, facility.id, after)
  const matches = wordBegins(q)
  return cut(
    areas.filter(({ name, short }) => matches(name, short)),
    limit,
    cursorOf,
  )
}

function toPlace([short]: unknown[]): AreaPlace | undefined {
  const usable = typeof short === 'string' && shortIdFault(short) === undefined
  return usable ? { sortKey: naturalKey(short), short } : undefined
}

export async function readArea(db: Db, partner: KnownPartner, fullId: string, ask: Ask<void>): Promise<string> {
  const { facility } = await areaFor(db.memory, partner, { read: 'areas' }, fullId)
  ask()
  const json = await areaJson(db.ask, fullId, facility.id)
  if (json === undefined) throw missingArea()
  return json
}
