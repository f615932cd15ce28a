import type { Entry } from '../domain/autocomplete-list.ts'
import type { Facility } from '../domain/facility.ts'
import type { Tx } from './engine.ts'

export async function findList(tx: Tx, facility: Facility): Promise<Entry[]> {
  const row = await tx.query
    .selectFrom('autocomplete_list')
    .where('facility_id', '=', facility.id)
    .select('entries')
    .executeTakeFirst()
  return row === undefined ? [] : JSON.parse(row.entries)
}

export async function replaceList(tx: Tx, facility: Facility, entries: Entry[]): Promise<void> {
  const row = { entries: JSON.stringify(entries), entries_count: entries.length }
  await tx.query
    .insertInto('autocomplete_list')
    .values({ facility_id: facility.id, ...row })
    .onConflict((conflict) => conflict.column('facility_id').doUpdateSet(row))
    .execute()
}
