import type { Selectable } from 'kysely'
import type { Grant } from '../../domain/access/grant.ts'
import type { Partner } from '../../domain/access/partner.ts'
import type { Tx } from '../engine.ts'
import type { PartnerTable } from '../table-rows.ts'
import { toRights } from './rights.ts'

export async function findPartner(tx: Tx, id: string): Promise<Partner | undefined> {
  const row = await tx.query.selectFrom('partner').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toPartner(row)
}

function toPartner(row: Selectable<PartnerTable>): Partner {
  const { id, name, contract, rate_limit: rateLimit, webhooks } = row
  return { id, name, contract, rateLimit, webhooks: webhooks === 1 }
}

/** Returns the grants by `position`, each with the external ids of its facilities by facility number. */
export async function grantsOfPartner(tx: Tx, partnerId: string): Promise<Grant[]> {
  const grants = await tx.query
    .selectFrom('partner_grant')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .orderBy('position')
    .execute()
  const covered = await tx.query
    .selectFrom('partner_grant_facility')
    .innerJoin('facility', 'facility.id', 'partner_grant_facility.facility_id')
    .select(['partner_grant_facility.grant_id', 'facility.id_external'])
    .where('partner_grant_facility.partner_id', '=', partnerId)
    .orderBy('facility.id')
    .execute()
  const facilitiesOf = Map.groupBy(covered, ({ grant_id }) => grant_id)
  return grants.map((grant) => ({
    facilities:
      grant.every_facility === 1 ? '*' : (facilitiesOf.get(grant.id) ?? []).map(({ id_external }) => id_external),
    ...toRights(grant),
  }))
}
