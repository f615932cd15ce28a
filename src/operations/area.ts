import { type Area, areaView } from '../domain/area.ts'
import type { Facility } from '../domain/facility.ts'
import { naturalKey, shortIdFault } from '../domain/identifier.ts'
import type { Partner } from '../domain/partner.ts'
import { wordBegins } from '../domain/text.ts'
import { type AreaPlace, listAreas } from '../storage/area.ts'
import type { Db } from '../storage/database.ts'
import type { Tx } from '../storage/engine.ts'
import { subscriptionsOf, subscriptionsOfMany } from '../storage/subscription.ts'
import { areaFor, facilityFor } from './lookup.ts'
import { type Ask, andOne, cut, decodeCursor, encodeCursor, type Page, type PageRequest } from './page.ts'

export type AreaView = ReturnType<typeof areaView>

export type AreaSearch = PageRequest & { q: string | undefined }

export function listVisibleAreas(
  db: Db,
  partner: Partner,
  facilityId: string,
  ask: Ask<AreaSearch>,
): Promise<Page<AreaView>> {
  return db.read(async (tx) => {
    const { facility } = await facilityFor(tx, partner, { read: 'areas' }, facilityId)
    const { items, next } = await areasIn(tx, facility, ask())
    const subscriptions = await subscriptionsOfMany(tx, items)
    return { items: items.map((area) => areaView(area, subscriptions.get(area.id) ?? [])), next }
  })
}

async function areasIn(tx: Tx, facility: Facility, { q, limit, cursor }: AreaSearch): Promise<Page<Area>> {
  const after = decodeCursor('a', cursor, toPlace)
  const cursorOf = ({ short }: Area) => encodeCursor('a', short)
  if (q === undefined) return cut(await listAreas(tx, facility, after, andOne(limit)), limit, cursorOf)
  const areas = await listAreas(tx, facility, after)
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

export function readArea(db: Db, partner: Partner, areaId: string, ask: Ask<void>): Promise<AreaView> {
  return db.read(async (tx) => {
    const { area } = await areaFor(tx, partner, { read: 'areas' }, areaId)
    ask()
    return viewOf(tx, area)
  })
}

export async function viewOf(tx: Tx, area: Area): Promise<AreaView> {
  return areaView(area, await subscriptionsOf(tx, area))
}
