import type { Rights } from '../domain/grant.ts'
import type { Tx } from './engine.ts'

/** The grants of a partner that cover this facility, whether or not the facility exists. */
export async function grantsOn(tx: Tx, partner: string, facilityExternalId: string): Promise<Rights[]> {
  const covering = tx.query
    .selectFrom('partner_grant_facility')
    .innerJoin('facility', 'facility.id', 'partner_grant_facility.facility_id')
    .where('partner_grant_facility.partner_id', '=', partner)
    .where('facility.id_external', '=', facilityExternalId)
    .select('partner_grant_facility.grant_id')
  const rows = await tx.query
    .selectFrom('partner_grant')
    .where('partner_id', '=', partner)
    .where((where) => where.or([where('every_facility', '=', 1), where('id', 'in', covering)]))
    .select(['read_fields', 'write_fields', 'room_operations'])
    .execute()
  return rows.map(toRights)
}

export function toRights(row: { read_fields: string; write_fields: string; room_operations: string }): Rights {
  return {
    read: JSON.parse(row.read_fields),
    write: JSON.parse(row.write_fields),
    rooms: JSON.parse(row.room_operations),
  }
}

/** Whether a grant of the partner covers every facility, those to come included. */
export async function seesEveryFacility(tx: Tx, partner: string): Promise<boolean> {
  const row = await tx.query
    .selectFrom('partner_grant')
    .where('partner_id', '=', partner)
    .where('every_facility', '=', 1)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
