import { type Entry, entriesOf, listResponse } from '../domain/autocomplete-list.ts'
import { type Bytes, bytesOf } from '../domain/bytes.ts'
import { andThen, type MaybePromise } from '../domain/maybe.ts'
import type { Engine, Tx } from './engine.ts'
import { name as estateMigration } from './migrations/0001-estate.ts'
import { name as packedLists } from './migrations/0009-packed-lists.ts'
import { rendering, statement } from './statement.ts'

export interface StoredList {
  /** The entries as the database holds them: JSON, compressed by `packEntries` when it is long. */
  stored: Bytes
  count: number
}

const find = rendering<{ count: number }>(
  'entries',
  ', entries_count as count from autocomplete_list where facility_id = $1',
)

export function loadStoredList(rows: Tx['rows'] | Engine['ask'], facilityId: number): MaybePromise<StoredList> {
  return andThen(rows(find, facilityId), ([row]) => {
    return row === undefined ? { stored: bytesOf('[]'), count: 0 } : { stored: row.body, count: row.count }
  })
}

export function listBody(ask: Engine['ask'], facilityId: number): MaybePromise<Bytes> {
  return andThen(loadStoredList(ask, facilityId), ({ stored }) => listResponse(stored))
}

export async function findList(tx: Tx, facility: { id: number; idExternal: string }): Promise<Entry[]> {
  return entriesOf(facility.idExternal, (await loadStoredList(tx.rows, facility.id)).stored)
}

const replace = statement(`
  insert into autocomplete_list (facility_id, entries, entries_count) values ($1, cast($2 as text), $3)
  on conflict (facility_id) do update set entries = excluded.entries, entries_count = excluded.entries_count`)

export function replaceList(tx: Tx, facilityId: number, { stored, count }: StoredList): void {
  tx.post(replace, facilityId, stored, count)
}

const migrations = statement<{ appliedAt: string }>(
  'select applied_at as "appliedAt" from atrium_migration where name in ($1, $2) order by name',
)
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * Returns whether autocomplete lists may be stored packed (compressed). Older versions of Atrium cannot read packed
 * lists and may still run during a rolling update, so the result is true only from a day after the migration; in a new
 * database, at once.
 */
export function canPackLists(ask: Engine['ask'], nowMs: number): MaybePromise<boolean> {
  return andThen(ask(migrations, estateMigration, packedLists), (rows) => {
    const [createdMs = 0, migratedMs = nowMs] = rows.map(({ appliedAt }) => Date.parse(appliedAt))
    return migratedMs - createdMs < minuteMs || nowMs - migratedMs > dayMs
  })
}
