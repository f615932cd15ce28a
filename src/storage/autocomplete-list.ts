import { type Entry, entriesOf, listJson } from '../domain/autocomplete-list.ts'
import { type Bytes, bytesOf } from '../domain/bytes.ts'
import type { Engine, Tx } from './engine.ts'
import { andThen, type Maybe } from './memory/maybe.ts'
import { rendered, rendering, statement } from './statement.ts'

export interface KeptList {
  /** As they are answered, with full ids: a JSON array. */
  entries: string
  count: number
}

const find = statement<KeptList>('select entries, entries_count as count from autocomplete_list where facility_id = $1')

export function keptList(rows: Tx['rows'] | Engine['ask'], facilityId: number): Maybe<KeptList> {
  return andThen(rows(find, facilityId), ([row]) => row ?? { entries: '[]', count: 0 })
}

const presentEntries = rendering<{ count: number }>(
  'entries',
  ', entries_count as count from autocomplete_list where facility_id = $1',
)

/** The same for lists of any length. */
export interface PresentList {
  entries: Bytes
  count: number
}

export function presentList(rows: Tx['rows'] | Engine['ask'], facilityId: number): Maybe<PresentList> {
  return andThen(rows(presentEntries, facilityId), ([row]) => {
    return row === undefined ? { entries: bytesOf('[]'), count: 0 } : { entries: row.body, count: row.count }
  })
}

const entriesOrNone = `coalesce((select entries from autocomplete_list where facility_id = $1), '[]')`
const answered = rendering(`'${listJson(`' || ${entriesOrNone} || '`)}'`)

/** The list as it is answered. */
export function listBody(ask: Engine['ask'], facilityId: number): Maybe<Bytes> {
  return rendered(ask, answered, facilityId)
}

export async function findList(tx: Tx, facility: { id: number; idExternal: string }): Promise<Entry[]> {
  return entriesOf(facility.idExternal, (await keptList(tx.rows, facility.id)).entries)
}

const replace = statement(`
  insert into autocomplete_list (facility_id, entries, entries_count) values ($1, cast($2 as text), $3)
  on conflict (facility_id) do update set entries = excluded.entries, entries_count = excluded.entries_count`)

export function replaceList(tx: Tx, facilityId: number, { entries, count }: KeptList | PresentList): void {
  tx.post(replace, facilityId, entries, count)
}
