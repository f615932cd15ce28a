import { type Access, combineGrants, type Need, notGranted, reliesOnServices } from '../../domain/access/grant.ts'
import { isFacilityId, isSandboxId } from '../../domain/identifier.ts'
import type { MaybePromise } from '../../domain/maybe.ts'
import { accessTo, permit } from '../../domain/permission.ts'
import { Refusal } from '../../domain/refusal.ts'
import { hasControlCharacter } from '../../domain/text.ts'
import { confirmPartner } from '../../storage/access/access.ts'
import type { EstateCache } from '../../storage/cached/estate-cache.ts'
import type { CachedFacility } from '../../storage/cached/facility.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { BatchTx } from '../../storage/engine.ts'
import { type Caller, invalidToken, isUsable } from './authenticate.ts'

export interface VisibleFacility {
  facility: CachedFacility
  access: Access
}

/**
 * Finds a facility and checks permission. All operations of partners must get facilities here. Does not query a
 * facility hidden from the partner, so that neither response nor timing distinguishes it from an absent one.
 */
export async function facilityFor(
  cache: EstateCache,
  partner: CachedPartner,
  need: Need,
  externalId: string,
): Promise<VisibleFacility> {
  const access = permit(partner, externalId, need)
  if (access === 'hidden') throw missingFacility(partner)
  const facility = isFacilityId(externalId) ? await cache.facilities.find(externalId) : undefined
  if (facility === undefined) throw missingFacility(partner)
  if (access === 'not_granted') throw notGranted(facility.idExternal, need)
  return { facility, access }
}

/** Says that the facility is absent only to a partner with a grant on all (`*`), from which none is hidden. */
export function missingFacility(partner: CachedPartner): Refusal {
  if (partner.everywhere === undefined) return hidden()
  return new Refusal('facility_not_found', 'There is no facility with this id.')
}

function hidden(): Refusal {
  return new Refusal('facility_not_granted', 'No grant of this partner covers this facility.')
}

/** Finds the facility of a room and checks permission. All operations of partners must get rooms here. */
export async function areaFor(
  cache: EstateCache,
  partner: CachedPartner,
  need: Need,
  fullId: string,
): Promise<VisibleFacility> {
  const cached = cache.rooms.get(fullId)
  const isVisible = (facility: string) => permit(partner, facility, 'none') !== 'hidden'
  const isCached = cached !== undefined && isVisible(cached.idExternal)
  const facility = isCached ? cached : await loadFacilityOf(cache, fullId, isVisible)
  if (facility === undefined) throw missingArea()
  return roomIn(facility, partner, need)
}

export function roomIn(facility: CachedFacility, partner: CachedPartner, need: Need): VisibleFacility {
  const access = permit(partner, facility.idExternal, need)
  if (access === 'hidden') throw missingArea()
  if (access === 'not_granted') throw notGranted(facility.idExternal, need, accessTo(partner, facility.idExternal))
  assertServicesSupported(facility, reliesOnServices(access, need))
  return { facility, access }
}

function assertServicesSupported({ idExternal, roomServices }: CachedFacility, isForServices: boolean): void {
  if (!isForServices || roomServices) return
  throw new Refusal('room_services_unsupported', `Facility ${idExternal} has no per-room services.`)
}

const noAccess = combineGrants([])

/** Returns the facility of a room for an operator, who needs no grant. */
export async function facilityOfRoom(cache: EstateCache, need: Need, fullId: string): Promise<CachedFacility> {
  await cache.ensureFresh()
  const facility = cache.rooms.get(fullId) ?? (await loadFacilityOf(cache, fullId, () => true))
  if (facility === undefined || isSandboxId(facility.idExternal)) {
    throw new Refusal('area_not_found', 'There is no area with this id.')
  }
  assertServicesSupported(facility, reliesOnServices(noAccess, need))
  return facility
}

function loadFacilityOf(
  cache: EstateCache,
  fullId: string,
  isVisible: (facility: string) => boolean,
): MaybePromise<CachedFacility | undefined> {
  return hasControlCharacter(fullId) ? undefined : cache.rooms.load(fullId, isVisible)
}

export function missingArea(): Refusal {
  return new Refusal('area_not_found', 'There is no area with this id among the facilities this partner can see.')
}

/**
 * Returns the partner with its present permissions, inside the transaction that writes: the token may have been
 * revoked, or a grant removed, while the request body arrived or the transaction waited for a lock.
 */
export async function reauthenticate(
  tx: BatchTx,
  cache: EstateCache,
  { token, partner }: Caller,
): Promise<CachedPartner> {
  if (tx.isExclusive) await cache.ensureFresh()
  const current = token === undefined ? undefined : await cache.tokens.find(token.hash)
  if (token !== undefined && (current === undefined || !isUsable(current))) throw invalidToken()
  const found = current?.partner ?? (await cache.partners.find(partner.id))
  if (found === undefined) throw invalidToken()
  await confirmPartner(tx, cache, found)
  return found
}
