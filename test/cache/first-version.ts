import { type RawBuilder, sql } from 'kysely'
import { naturalKey, newId } from '../../src/domain/identifier.ts'
import { openDatabase } from '../../src/storage/database.ts'
import type { Tx } from '../../src/storage/engine.ts'
import * as first from '../../src/storage/migrations/0001-estate.ts'

/** Rows in the first version of the schema, which stored no response bodies. */
export interface OldRows {
  facilities: { id: number; id_external: string; name: string; room_services: number }[]
  areas: OldArea[]
  lists: { facility: number; entries: { id: string; name: string }[] }[]
  keys: { area: OldArea; path: string; key: string; body_hash: string; answer: string; etag: string; ended: number }[]
  partners: string[]
}

export interface OldArea {
  facility: number
  facilityName: string
  short: string
  name: string
  opened_at: string | null
  cycle: string | null
  data_general: object[]
  services: OldService[]
}

export interface OldService {
  id: string
  code: string
  label: string | null
  status: string
  start_at: string | null
  end_at: string | null
  extra: Record<string, unknown>
}

export const longAgo = '2026-01-02T03:04:05.678Z'

/** Creates a database as the first version of Atrium did. */
export async function makeFirstVersion(url: string, rows: OldRows): Promise<void> {
  const db = openDatabase(url)
  await db.write(async (tx) => {
    const { text } = tx.dialect
    await sql
      .raw(`create table atrium_migration (name ${text} primary key, applied_at ${text} not null)`)
      .execute(tx.query)
    await first.up(tx)
    await insert(tx, 'atrium_migration', { name: first.name, applied_at: longAgo })
    await fill(tx, rows)
  })
  await db.close()
}

async function fill(tx: Tx, { facilities, areas, lists, keys, partners }: OldRows): Promise<void> {
  const dates = { date_created: longAgo, date_updated: longAgo }
  for (const facility of facilities) {
    const rest = { status: 'active', type: 'hotel', subscribed: 0, timezone: 'UTC', devices: '[]', ...dates }
    await insert(tx, 'facility', { ...facility, ...rest })
  }
  for (const id of partners) {
    await insert(tx, 'partner', { id, name: id })
    const all = { read_fields: '"*"', write_fields: '"*"', room_operations: '"*"' }
    await insert(tx, 'partner_grant', { id: newId(), partner_id: id, position: 0, every_facility: 1, ...all })
  }
  for (const { facility, entries } of lists) {
    await insert(tx, 'autocomplete_list', {
      facility_id: facility,
      entries: JSON.stringify(entries),
      entries_count: entries.length,
    })
  }
  const ids = new Map<OldArea, string>()
  for (const area of areas) ids.set(area, await insertArea(tx, area))
  for (const { area, ...key } of keys) {
    const created_at = new Date().toISOString()
    await insert(tx, 'idempotency_key', {
      ...key,
      area_id: ids.get(area) as string,
      partner_id: partners[0] as string,
      created_at,
    })
  }
}

async function insertArea(tx: Tx, area: OldArea): Promise<string> {
  const { facility: facility_id, facilityName, short: id_short, name, opened_at, cycle, data_general, services } = area
  const id = newId()
  await insert(tx, 'area', {
    id,
    facility_id,
    id_short,
    id_external: `${facilityName}-${id_short}`,
    sort_key: naturalKey(id_short),
    name,
    data_general: JSON.stringify(data_general),
    opened_at,
    cycle,
    date_created: longAgo,
    date_updated: longAgo,
  })
  for (const [position, { extra, ...service }] of services.entries()) {
    await insert(tx, 'subscription', { ...service, area_id: id, position: position + 1, extra: JSON.stringify(extra) })
  }
  return id
}

async function insert(tx: Tx, table: string, row: Record<string, string | number | null>): Promise<void> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  const values: RawBuilder<unknown> = sql.join(Object.values(row))
  await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(tx.query)
}

/** The responses of the first version for these rows. */
export function oldView({ facilityName, short, name, opened_at, cycle, data_general, services }: OldArea) {
  return {
    id_external: `${facilityName}-${short}`,
    name,
    opened_at,
    cycle,
    date_created: longAgo,
    date_updated: longAgo,
    data_services: services.map(oldServiceView),
    data_general,
  }
}

function oldServiceView({ id, code, label, status, start_at, end_at, extra }: OldService) {
  return { id, code, label, status, start: start_at, end: end_at, ...extra }
}
