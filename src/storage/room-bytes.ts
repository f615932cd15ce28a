import { sql } from 'kysely'
import type { Tx } from './engine.ts'

/** Returns a map from full ids to the bytes of the stored JSON, for those rooms of the facility that exist. */
export async function bytesOfRooms(tx: Tx, facilityId: number, fullIds: string[]): Promise<Map<string, number>> {
  if (fullIds.length === 0) return new Map()
  const bytes = sql<number>`octet_length(json)`.as('bytes')
  const query = tx.query.selectFrom('area').select(['id_external', bytes]).where('facility_id', '=', facilityId)
  const found = await query.where('id_external', 'in', fullIds).execute()
  return new Map(found.map((room) => [room.id_external, room.bytes]))
}
