import { whenItWas } from '../domain/audit.ts'
import { type FacilityProperty, facilitySummary, facilityView } from '../domain/facility.ts'
import type { Access } from '../domain/grant.ts'
import { demandCurrent, type Precondition } from '../domain/precondition.ts'
import { represent } from '../domain/representation.ts'
import { nowIso } from '../domain/time.ts'
import { recordAudit } from '../storage/audit.ts'
import type { Db } from '../storage/database.ts'
import type { Engine, Tx } from '../storage/engine.ts'
import { facilitiesBody, findFacility, listFacilities, lockProperty, updateProperty } from '../storage/facility.ts'
import { known } from '../storage/memory/facilities.ts'
import { andThen, type Maybe } from '../storage/memory/maybe.ts'
import type { KnownPartner } from '../storage/memory/partners.ts'
import type { ReadyAnswer } from '../storage/memory/ready-answer.ts'
import type { Caller } from './authenticate.ts'
import { callerIn, facilityFor, missingFacility } from './lookup.ts'
import { type Ask, andOne, cut, decodeCursor, encodeCursor, isWhole, type PageRequest, type PageText } from './page.ts'

export type FacilitySearch = PageRequest & { status: string | undefined }

export async function listVisibleFacilities(
  db: Db,
  partner: KnownPartner,
  ask: Ask<FacilitySearch>,
): Promise<ReadyAnswer | PageText> {
  const every = partner.everywhere !== undefined
  const search = ask()
  if (isWhole(search)) return db.memory.makeList(partner, () => facilitiesBody(db.ask, partner.id, every))
  const { status, limit, cursor } = search
  const afterId = decodeCursor('f', cursor, ([id]) => (Number.isSafeInteger(id) ? (id as number) : undefined))
  const rows = await db.read((tx) =>
    listFacilities(tx, { partner: partner.id, every, status, afterId, limit: andOne(limit) }),
  )
  const { items, next } = cut(rows, limit, ({ id }) => encodeCursor('f', id))
  return { ...represent(items.map(facilitySummary)), next }
}

export async function readFacility(
  db: Db,
  partner: KnownPartner,
  idExternal: string,
  ask: Ask<void>,
): Promise<ReadyAnswer> {
  let loaded: Found | undefined
  const load = (id: string) =>
    andThen(findFacility(db.ask, id), (found) => {
      loaded = found
      return found && known(found.facility)
    })
  const { facility, access } = await facilityFor(db.memory, partner, 'none', idExternal, load)
  ask()
  return db.memory.answer(facility, access.readMask, () => {
    const isAsLoaded = loaded !== undefined && facility.stamp === 0
    return andThen(isAsLoaded ? loaded : findFacility(db.ask, idExternal), (found) => {
      if (found === undefined) throw missingFacility(partner)
      return facilityText(found, access)
    })
  })
}

type Found = NonNullable<Awaited<ReturnType<typeof findFacility>>>

/** The facility as it is answered to those with this access. */
function facilityText({ facility, counts }: Found, access: Access): string {
  return JSON.stringify(facilityView(facility, counts, access))
}

function facilityJson(rows: Engine['ask'] | Tx['rows'], id: string, access: Access): Maybe<string | undefined> {
  return andThen(findFacility(rows, id), (found) => found && facilityText(found, access))
}

export interface PropertyChange {
  facility: string
  property: FacilityProperty
  precondition: Precondition
}

/** What can be said of a change before its body is known. Said again inside the change's own transaction. */
export async function mayChangeProperty(db: Db, partner: KnownPartner, change: PropertyChange): Promise<void> {
  const { facility, property, precondition } = change
  const { access } = await facilityFor(db.memory, partner, { write: property }, facility)
  if (precondition.etags !== undefined) await demandUnchanged(db.ask, partner, change, access)
}

async function demandUnchanged(
  rows: Engine['ask'] | Tx['rows'],
  partner: KnownPartner,
  { facility, precondition }: PropertyChange,
  access: Access,
): Promise<void> {
  const json = await facilityJson(rows, facility, access)
  if (json === undefined) throw missingFacility(partner)
  demandCurrent(precondition, json)
}

export function changeProperty(db: Db, caller: Caller, change: PropertyChange, value: string): Promise<string> {
  const { facility, property, precondition } = change
  return db.writeRow(async (tx) => {
    const locked = lockProperty(tx, facility, property)
    const [found, partner] = await Promise.all([locked, callerIn(tx, db.memory, caller)])
    const { access } = await facilityFor(db.memory, partner, { write: property }, facility)
    if (found === undefined) throw missingFacility(partner)
    if (precondition.etags !== undefined) await demandUnchanged(tx.rows, partner, change, access)
    if (found.value === value) return value
    const now = nowIso(partner.aheadMs)
    updateProperty(tx, found.id, property, value, now)
    recordAudit(tx, {
      actor: caller.actor,
      action: 'facility.change',
      facility,
      partner: null,
      subject: null,
      ...whenItWas(now, partner.aheadMs, { property, before: found.value, after: value }),
    })
    return value
  })
}
