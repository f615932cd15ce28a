import type { CachedResponse } from '../cache/response-cache.ts'
import { type Access, allows } from '../domain/access/grant.ts'
import { auditTimestamp } from '../domain/audit/audit.ts'
import { type FacilityProperty, facilityProperties, facilitySummary, facilityView } from '../domain/facility.ts'
import { isFacilityId } from '../domain/identifier.ts'
import { andThen } from '../domain/maybe.ts'
import { permit } from '../domain/permission.ts'
import { type Precondition, requireCurrent } from '../domain/precondition.ts'
import { Refusal } from '../domain/refusal.ts'
import { etagOf } from '../domain/representation.ts'
import { prefixMatcher } from '../domain/text.ts'
import { nowIso } from '../domain/time.ts'
import { recordAudit } from '../storage/audit/audit.ts'
import type { CachedPartner } from '../storage/cached/partner.ts'
import type { Db } from '../storage/database.ts'
import type { BatchTx, Engine, Tx } from '../storage/engine.ts'
import {
  type CountedFacility,
  facilitiesBody,
  findFacility,
  listFacilities,
  lockWithCounts,
  updateProperty,
} from '../storage/facility.ts'
import type { Caller } from './access/authenticate.ts'
import { loadResponse, needs } from './access/cached-read.ts'
import { facilityFor, missingFacility, reauthenticate } from './access/lookup.ts'
import {
  decodeCursor,
  encodeCursor,
  isWholeList,
  type PageRequest,
  type PageText,
  type ParseQuery,
  pageText,
  searchName,
  toPage,
  withLookahead,
} from './page.ts'

type FacilitySearch = PageRequest & {
  status: string | undefined
  type?: string | undefined
  q: string | undefined
}

export async function listVisibleFacilities(
  db: Db,
  partner: CachedPartner,
  parseQuery: ParseQuery<FacilitySearch>,
): Promise<CachedResponse | PageText> {
  const every = partner.everywhere !== undefined
  const search = parseQuery()
  if (isWholeList(search)) return db.cache.loadList(partner.id, () => facilitiesBody(db.ask, partner.id, every))
  const { status, type, q, limit, cursor } = search
  const list = searchName('f', search, partner.id)
  const afterId = decodeCursor(list, cursor, ([id]) => (Number.isSafeInteger(id) ? (id as number) : undefined))
  const mayFilter = type === undefined ? 'everywhere' : readsType(partner)
  const atMost = q === undefined && mayFilter === 'everywhere' ? withLookahead(limit) : undefined
  const selection = { partner: partner.id, every, status, type, afterId, limit: atMost }
  const rows = await db.read((tx) => listFacilities(tx, selection))
  const matches = q === undefined ? () => true : prefixMatcher(q)
  const mayMatch = (facility: string) =>
    mayFilter === 'everywhere' || typeof permit(partner, facility, needOfType) !== 'string'
  const found = rows.filter(({ name, idExternal }) => mayMatch(idExternal) && matches(name, idExternal))
  const { items, next } = toPage(found, limit, ({ id }) => encodeCursor(list, id))
  return pageText(JSON.stringify(items.map(facilitySummary)), next)
}

const needOfType = { read: 'type' } as const

/**
 * Returns whether the partner may read the type of all its facilities or only of some. One whose type is hidden must
 * never match a filter by type, which would reveal the type.
 */
function readsType({ everywhere, named }: CachedPartner): 'everywhere' | 'somewhere' {
  const accesses = [...(everywhere === undefined ? [] : [everywhere]), ...named.map(({ access }) => access)]
  const reading = accesses.filter((access) => allows(access, needOfType))
  if (reading.length === 0) {
    const detail = 'The filter "type" needs the grant "read: type" on a facility.'
    throw new Refusal('not_granted', detail, { required: needOfType })
  }
  return reading.length === accesses.length ? 'everywhere' : 'somewhere'
}

export async function readFacility(
  db: Db,
  partner: CachedPartner,
  idExternal: string,
  parseQuery: ParseQuery<void>,
): Promise<CachedResponse> {
  const access = permit(partner, idExternal, needs.facility)
  if (typeof access === 'string' || !isFacilityId(idExternal)) throw missingFacility(partner)
  const response = await loadResponse(db.cache, access, 'facility', idExternal, () =>
    andThen(findFacility(db.ask, idExternal), (found) => found && facilityText(found, access)),
  )
  if (response === undefined) throw missingFacility(partner)
  parseQuery()
  return response
}

function facilityText({ facility, counts }: CountedFacility, access: Access): string {
  return JSON.stringify(facilityView(facility, counts, access))
}

interface PropertyChange {
  facility: string
  property: FacilityProperty
  precondition: Precondition
}

/** Checks permission and If-Match before the body is read. The transaction of the change repeats these checks. */
export async function assertCanChangeProperty(db: Db, partner: CachedPartner, change: PropertyChange): Promise<void> {
  const { facility, property, precondition } = change
  const { access } = await facilityFor(db.cache, partner, { write: property }, facility)
  if (precondition.etags !== undefined) await requireUnchanged(db.ask, partner, change, access)
}

/** Refuses the change if its `If-Match` does not contain the ETag that the facility has now for this partner. */
async function requireUnchanged(
  rows: Engine['ask'] | Tx['rows'],
  partner: CachedPartner,
  { facility, precondition }: PropertyChange,
  access: Access,
): Promise<void> {
  const found = await findFacility(rows, facility)
  if (found === undefined) throw missingFacility(partner)
  requireCurrent(precondition, facilityText(found, access))
}

interface ChangedProperty {
  value: string
  /** The ETag of the facility with the fields that this caller may read. */
  etag: string
}

/** Checks the permission again after the lock, as grants may have changed while the request waited. */
export function changeProperty(
  db: Db,
  caller: Caller,
  change: PropertyChange,
  value: string,
): Promise<ChangedProperty> {
  const { facility: idExternal, property, precondition } = change
  const key = facilityProperties[property]
  const work = async (tx: BatchTx): Promise<ChangedProperty> => {
    const locked = lockWithCounts(tx, idExternal)
    const [found, partner] = await Promise.all([locked, reauthenticate(tx, db.cache, caller)])
    const { access } = await facilityFor(db.cache, partner, { write: property }, idExternal)
    if (found === undefined) throw missingFacility(partner)
    // The ETag covers counts of rooms and entries, which can change during the wait for the lock.
    if (precondition.etags !== undefined) await requireUnchanged(tx.rows, partner, change, access)
    const { facility, counts } = found
    const before = facility[key]
    if (before === value) return { value, etag: etagOf(facilityText(found, access)) }
    const now = nowIso(partner.aheadMs)
    updateProperty(tx, facility.id, property, value, now)
    recordAudit(tx, {
      actor: caller.actor,
      action: 'facility.change',
      facility: idExternal,
      ...auditTimestamp(now, partner.aheadMs, { property, before, after: value }),
    })
    const changed = { facility: { ...facility, [key]: value, dateUpdated: now }, counts }
    return { value, etag: etagOf(facilityText(changed, access)) }
  }
  return db.write(work, { batch: true })
}
