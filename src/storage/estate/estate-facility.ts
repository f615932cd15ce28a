import { sql } from 'kysely'
import { type Entry, entriesJson, entriesOf } from '../../domain/autocomplete-list.ts'
import { bytesOf } from '../../domain/bytes.ts'
import type { Facility } from '../../domain/facility.ts'
import { foldedWords } from '../../domain/text.ts'
import type { Tx } from '../engine.ts'
import { toFacility } from '../facility.ts'
import { sandboxNumbers } from '../sandbox.ts'
import { whereOutsideSandbox } from '../sandbox-filter.ts'
import type { FacilityTable } from '../table-rows.ts'
import { inRuns, insertInRuns, runs } from './bulk.ts'

export async function facilitiesNamed(tx: Tx, idsExternal: string[]): Promise<Facility[]> {
  const rows = await inRuns(idsExternal, (run) =>
    tx.query.selectFrom('facility').selectAll().where('id_external', 'in', run).execute(),
  )
  return rows.map(toFacility)
}

export async function facilitiesNumbered(tx: Tx, ids: number[]): Promise<Facility[]> {
  const rows = await inRuns(ids, (run) => tx.query.selectFrom('facility').selectAll().where('id', 'in', run).execute())
  return rows.map(toFacility)
}

export async function facilitiesAfter(tx: Tx, id: number, limit: number): Promise<Facility[]> {
  const rows = await tx.query
    .selectFrom('facility')
    .selectAll()
    .where('id', '>', id)
    .where(whereOutsideSandbox('id_external'))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toFacility)
}

export async function insertFacilities(tx: Tx, facilities: Facility[]): Promise<void> {
  const rows = facilities.map((facility) => toColumns(facility) as FacilityTable)
  await insertInRuns(tx, rows, (run) => tx.query.insertInto('facility').values(run))
}

export async function updateFacility(tx: Tx, id: number, fields: Partial<Facility>): Promise<void> {
  await tx.query.updateTable('facility').set(toColumns(fields)).where('id', '=', id).execute()
}

function toColumns(facility: Partial<Facility>): Partial<FacilityTable> {
  const { idExternal, ssidPublic, subscriptionUrl, subscribed, roomServices, address, devices } = facility
  const { id, name, status, type, timezone, dateCreated, dateUpdated } = facility
  const row = {
    id,
    id_external: idExternal,
    name,
    name_words: name === undefined ? undefined : foldedWords(name),
    status,
    type,
    ssid_public: ssidPublic,
    subscription_url: subscriptionUrl,
    subscribed: subscribed === undefined ? undefined : Number(subscribed),
    timezone,
    room_services: roomServices === undefined ? undefined : Number(roomServices),
    address: address ? JSON.stringify(address) : address,
    devices: devices && JSON.stringify(devices),
    date_created: dateCreated,
    date_updated: dateUpdated,
  }
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
}

/** Increments the versions of partners whose grants name a facility, as their cached permissions become stale. */
export async function deleteFacilities(tx: Tx, ids: number[]): Promise<void> {
  for (const run of runs(ids)) {
    const covered = tx.query.selectFrom('partner_grant_facility').where('facility_id', 'in', run).select('partner_id')
    await tx.query
      .updateTable('partner')
      .set(({ eb }) => ({ version: eb('version', '+', 1) }))
      .where('id', 'in', covered)
      .execute()
    await tx.query.deleteFrom('facility').where('id', 'in', run).execute()
  }
}

const counterName = 'facility'

/** Locks and returns the highest facility number that was ever used outside sandboxes. */
export async function lockFacilityCounter(tx: Tx): Promise<number> {
  await tx.query
    .insertInto('counter')
    .values({ name: counterName, value: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const counter = tx.query.selectFrom('counter').select('value').where('name', '=', counterName)
  const { value } = await tx.lockRow(counter).executeTakeFirstOrThrow()
  const [before, last] = await sandboxNumbers(tx)
  return Math.max(value, await highestFacility(tx, '<=', before), await highestFacility(tx, '>', last))
}

async function highestFacility(tx: Tx, side: '<=' | '>', bound: number): Promise<number> {
  const highest = await tx.query
    .selectFrom('facility')
    .select((select) => select.fn.max('id').as('id'))
    .where('id', side, bound)
    .executeTakeFirst()
  return highest?.id ?? 0
}

export async function setFacilityCounter(tx: Tx, value: number): Promise<void> {
  await tx.query.updateTable('counter').set({ value }).where('name', '=', counterName).execute()
}

type Named = Pick<Facility, 'id' | 'idExternal'>

export async function listsOf(tx: Tx, facilities: Named[]): Promise<Map<number, Entry[]>> {
  const names = new Map(facilities.map(({ id, idExternal }) => [id, idExternal]))
  const rows = await inRuns([...names.keys()], (run) =>
    tx.query.selectFrom('autocomplete_list').selectAll().where('facility_id', 'in', run).execute(),
  )
  return new Map(rows.map(({ facility_id: id, entries }) => [id, entriesOf(names.get(id) as string, bytesOf(entries))]))
}

export async function replaceLists(tx: Tx, lists: { facility: Named; entries: Entry[] }[]): Promise<void> {
  const rows = lists.map(({ facility: { id, idExternal }, entries }) => {
    return { facility_id: id, entries: entriesJson(idExternal, entries), entries_count: entries.length }
  })
  const set = { entries: sql.ref<string>('excluded.entries'), entries_count: sql.ref<number>('excluded.entries_count') }
  await insertInRuns(tx, rows, (run) =>
    tx.query
      .insertInto('autocomplete_list')
      .values(run)
      .onConflict((conflict) => conflict.column('facility_id').doUpdateSet(set)),
  )
}
