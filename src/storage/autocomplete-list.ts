import { type Entry, entriesOf } from '../domain/autocomplete-list.ts'
import type { Engine, Tx } from './engine.ts'
import { andThen, type Maybe } from './memory/maybe.ts'
import { statement } from './statement.ts'

const find = statement<{ entries: string }>('select entries from autocomplete_list where facility_id = $1')

/** The entries as they are answered, with full ids: a JSON array. */
export function entriesJson(rows: Tx['rows'] | Engine['ask'], facilityId: number): Maybe<string> {
  return andThen(rows(find, facilityId), ([row]) => row?.entries ?? '[]')
}

export async function findList(tx: Tx, facility: { id: number; idExternal: string }): Promise<Entry[]> {
  return entriesOf(facility.idExternal, await entriesJson(tx.rows, facility.id))
}

const replace = statement(`insert into autocomplete_list (facility_id, entries, entries_count) values ($1, $2, $3)
  on conflict (facility_id) do update set entries = excluded.entries, entries_count = excluded.entries_count`)

export function replaceList(tx: Tx, facilityId: number, json: string, count: number): void {
  tx.post(replace, facilityId, json, count)
}
