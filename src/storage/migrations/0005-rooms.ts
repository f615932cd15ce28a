import { sql } from 'kysely'
import { lengthsOf, type Room, roomJson } from '../../domain/stored-room.ts'
import { nowIso } from '../../domain/time.ts'
import type { Tx } from '../engine.ts'

export const name = '0005-rooms'

/** What a guest has stands in the row of the room and nowhere else: a change reads one row and writes it. */
export async function up(tx: Tx): Promise<void> {
  const { text } = tx.columns
  const run = (statement: string) => sql.raw(statement).execute(tx.query)
  await run(`alter table area add column services_lengths ${text} not null default ''`)
  await run(`alter table area add column next_due_at ${text}`)
  await furnishRooms(tx)
  await run('drop table subscription')
  await run('create index area_by_due on area (next_due_at) where next_due_at is not null')
}

interface OldRoom {
  id: string
  facility_id: number
  id_external: string
  id_short: string
  name: string
  opened_at: string | null
  cycle: string | null
  date_created: string
  date_updated: string
  data_general: string
}

const atOnce = 500

async function furnishRooms(tx: Tx): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<OldRoom>`select id, facility_id, id_external, id_short, name, opened_at, cycle,
      date_created, date_updated, data_general from area
      where id > ${after} and exists (select 1 from subscription where area_id = area.id)
      order by id limit ${atOnce}`.execute(tx.query)
    for (const row of rows) await furnishRoom(tx, row)
    if (rows.length < atOnce) return
    after = rows.at(-1)?.id as string
  }
}

/** What is due in it, and when, is found out by the first who looks. */
async function furnishRoom(tx: Tx, row: OldRoom): Promise<void> {
  const { rows } = await sql<{ json: string }>`select json from subscription
    where area_id = ${row.id} order by position`.execute(tx.query)
  const room: Omit<Room, 'nextDueAt'> = {
    id: row.id,
    facilityId: row.facility_id,
    idExternal: row.id_external,
    short: row.id_short,
    name: row.name,
    openedAt: row.opened_at,
    cycle: row.cycle,
    dateCreated: row.date_created,
    dateUpdated: row.date_updated,
    dataGeneral: row.data_general,
  }
  const texts = rows.map(({ json }) => json)
  await sql`update area set json = ${roomJson(room, texts)}, services_lengths = ${lengthsOf(texts)},
    next_due_at = ${nowIso()} where id = ${row.id}`.execute(tx.query)
}
