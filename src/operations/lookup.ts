import type { Area } from '../domain/area.ts'
import type { Facility } from '../domain/facility.ts'
import { type Access, addUp, demand, type Need } from '../domain/grant.ts'
import { isFacilityId } from '../domain/identifier.ts'
import type { Partner } from '../domain/partner.ts'
import { Refusal } from '../domain/refusal.ts'
import { hasControlCharacter } from '../domain/text.ts'
import { grantsOn } from '../storage/access.ts'
import { findArea } from '../storage/area.ts'
import type { Tx } from '../storage/engine.ts'
import { findFacility, findFacilityById, lockFacility } from '../storage/facility.ts'

export interface VisibleFacility {
  facility: Facility
  access: Access
}

export interface VisibleArea extends VisibleFacility {
  area: Area
}

/** An id that nothing has, for look-ups that must cost the same when there is nothing to find. */
const nobody = ''

/** The only way to a facility on a partner's behalf. Hidden and absent are told apart by nothing, work included. */
export async function facilityFor(
  tx: Tx,
  partner: Partner,
  need: Need,
  externalId: string,
  options: { lock?: boolean } = {},
): Promise<VisibleFacility> {
  const idExternal = isFacilityId(externalId) ? externalId : nobody
  // Whoever waits here for another's change must see what that change did to the grants.
  if (options.lock) await lockFacility(tx, idExternal)
  const grants = await grantsOn(tx, partner.id, idExternal)
  if (grants.length === 0) throw new Refusal('facility_not_granted', 'No grant of this partner covers this facility.')
  const facility = await findFacility(tx, idExternal)
  // Only a grant on every facility leads here: nothing is hidden from that partner.
  if (facility === undefined) throw new Refusal('facility_not_found', 'There is no facility with this id.')
  const access = addUp(grants)
  demand(access, facility.idExternal, need)
  return { facility, access }
}

/** The only way to a room on a partner's behalf. */
export async function areaFor(
  tx: Tx,
  partner: Partner,
  need: Need,
  fullId: string,
  options: { lock?: boolean } = {},
): Promise<VisibleArea> {
  const area = await findArea(tx, hasControlCharacter(fullId) ? nobody : fullId, options)
  const grants = await grantsOn(tx, partner.id, area?.facility ?? nobody)
  const facility = await findFacilityById(tx, area?.facilityId ?? -1)
  if (area === undefined || facility === undefined || grants.length === 0) {
    throw new Refusal('area_not_found', 'There is no area with this id among the facilities this partner can see.')
  }
  const access = addUp(grants)
  demand(access, facility.idExternal, need)
  const forServices = need !== 'none' && 'rooms' in need && need.rooms === 'services'
  if (forServices && !facility.roomServices) {
    throw new Refusal('room_services_unsupported', `Facility ${facility.idExternal} has no per-room services.`)
  }
  return { area, facility, access }
}
