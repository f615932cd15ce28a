import { decidingGrant, type Need } from '../../domain/access/grant.ts'
import { isFacilityId } from '../../domain/identifier.ts'
import { Refusal } from '../../domain/refusal.ts'
import { grantsOfPartner } from '../../storage/access/partner.ts'
import type { CachedPartner } from '../../storage/cached/partner.ts'
import type { Db } from '../../storage/database.ts'
import { existingFacilities } from '../../storage/request-log.ts'

/** The partner as a request of its own would find it at this moment. */
export async function partnerAsItIs(db: Db, id: string): Promise<CachedPartner> {
  await db.cache.ensureFresh()
  const partner = await db.cache.partners.find(id)
  if (partner === undefined) throw new Refusal('partner_not_found', 'There is no partner with this id.')
  return partner
}

export async function isFacility(db: Db, idExternal: string): Promise<boolean> {
  if (!isFacilityId(idExternal)) return false
  return (await db.read((tx) => existingFacilities(tx, [idExternal]))).has(idExternal)
}

/** Which of its grants, by its place in the list, decided for it; nothing when none did. */
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
