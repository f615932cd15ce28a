import { type FacilityProperty, facilityProperties, facilitySummary, facilityView } from '../domain/facility.ts'
import type { Partner } from '../domain/partner.ts'
import { demandCurrent, type Precondition } from '../domain/precondition.ts'
import { represent } from '../domain/representation.ts'
import { nowIso } from '../domain/time.ts'
import { seesEveryFacility } from '../storage/access.ts'
import type { Db } from '../storage/database.ts'
import type { Tx } from '../storage/engine.ts'
import { countsOf, listFacilities, updateFacilityProperty } from '../storage/facility.ts'
import { facilityFor, type VisibleFacility } from './lookup.ts'
import { type Ask, andOne, cut, decodeCursor, encodeCursor, type Page, type PageRequest } from './page.ts'

export type FacilityView = ReturnType<typeof facilityView>
export type FacilitySummary = ReturnType<typeof facilitySummary>

export type FacilitySearch = PageRequest & { status: string | undefined }

export function listVisibleFacilities(
  db: Db,
  partner: Partner,
  ask: Ask<FacilitySearch>,
): Promise<Page<FacilitySummary>> {
  return db.read(async (tx) => {
    const every = await seesEveryFacility(tx, partner.id)
    const { status, limit, cursor } = ask()
    const afterId = decodeCursor('f', cursor, ([id]) => (Number.isSafeInteger(id) ? (id as number) : undefined))
    const rows = await listFacilities(tx, { partner: partner.id, every, status, afterId, limit: andOne(limit) })
    const { items, next } = cut(rows, limit, ({ id }) => encodeCursor('f', id))
    return { items: items.map(facilitySummary), next }
  })
}

export function readFacility(db: Db, partner: Partner, idExternal: string, ask: Ask<void>): Promise<FacilityView> {
  return db.read(async (tx) => {
    const visible = await facilityFor(tx, partner, 'none', idExternal)
    ask()
    return viewOf(tx, visible)
  })
}

async function viewOf(tx: Tx, { facility, access }: VisibleFacility): Promise<FacilityView> {
  return facilityView(facility, await countsOf(tx, facility), access)
}

export interface PropertyChange {
  facility: string
  property: FacilityProperty
  precondition: Precondition
}

/** What can be said of a change before its body is known. Said again inside the change's own transaction. */
export function mayChangeProperty(db: Db, partner: Partner, change: PropertyChange): Promise<unknown> {
  return db.read((tx) => facilityToChange(tx, partner, change))
}

export function changeProperty(db: Db, partner: Partner, change: PropertyChange, value: string): Promise<string> {
  return db.write(async (tx) => {
    const facility = await facilityToChange(tx, partner, change, { lock: true })
    if (facility[facilityProperties[change.property]] !== value) {
      await updateFacilityProperty(tx, facility, change.property, value, nowIso())
    }
    return value
  })
}

async function facilityToChange(tx: Tx, partner: Partner, change: PropertyChange, options: { lock?: boolean } = {}) {
  const visible = await facilityFor(tx, partner, { write: change.property }, change.facility, options)
  const view = change.precondition.etags === undefined ? undefined : await viewOf(tx, visible)
  demandCurrent(change.precondition, () => represent(view).etag)
  return visible.facility
}
