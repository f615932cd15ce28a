import { decidingGrant, type Need } from '../../domain/access/grant.ts'
import { isFacilityId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { grantsOfPartner } from '../../storage/access/partner.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { Db } from '../../storage/database.ts'
import { existingFacilities } from '../../storage/request-log.ts'

/** Returns a partner with the permissions that a request of the partner would have now. */
export async function loadCurrentPartner(db: Db, id: string): Promise<CachedPartner> {
  await db.cache.ensureFresh()
  const partner = await db.cache.partners.find(id)
  if (partner === undefined) throw new Refusal('partner_not_found', 'There is no partner with this id.')
  return partner
}

export async function isFacility(db: Db, idExternal: string): Promise<boolean> {
  if (!isFacilityId(idExternal)) return false
  return (await db.read((tx) => existingFacilities(tx, [idExternal]))).has(idExternal)
}

/** Returns the index, in the partner's list of grants, of the grant that allows the request; null if none does. */
export async function grantThatDecided(
  db: Db,
  partner: string,
  facility: string | null,
  need: Need | null,
): Promise<number | null> {
  if (facility === null || need === null) return null
  const at = decidingGrant(await db.read((tx) => grantsOfPartner(tx, partner)), facility, need)
  return at === -1 ? null : at
}
