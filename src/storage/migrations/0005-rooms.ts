import { sql } from 'kysely'
import type { MigrationTx } from './frozen/migration.ts'
import { type Room, roomJson } from './frozen/stored-room.ts'

export const name = '0005-rooms'

/** Moves the subscriptions of a room into the row of its area, so that a change reads and writes only one row. */
export async function up(tx: MigrationTx): Promise<void> {
  const { text } = tx.dialect
  const run = (statement: string) => sql.raw(statement).execute(tx.query)
  await run(`alter table area add column services_lengths ${text} not null default ''`)
  await run(`alter table area add column next_due_at ${text}`)
  await furnishRooms(tx)
  await run('drop table subscription')
  await run('create index area_by_due on area (next_due_at) where next_due_at is not null')
}

interface OldRoom extends Room {
  id: string
}

const atOnce = 500

async function furnishRooms(tx: MigrationTx): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<OldRoom>`select id, id_external, name, opened_at, cycle,
      date_created, date_updated, data_general from area
      where id > ${after} and exists (select 1 from subscription where area_id = area.id)
      order by id limit ${atOnce}`.execute(tx.query)
    for (const row of rows) await furnishRoom(tx, row)
    if (rows.length < atOnce) return
    after = rows.at(-1)?.id as string
  }
}

/** `next_due_at` becomes now, so that the job which records starts and ends of services computes the correct time. */
async function furnishRoom(tx: MigrationTx, row: OldRoom): Promise<void> {
  const { rows } = await sql<{ json: string }>`select json from subscription
    where area_id = ${row.id} order by position`.execute(tx.query)
  const texts = rows.map(({ json }) => json)
  const lengths = texts.map(({ length }) => length).join()
  await sql`update area set json = ${roomJson(row, texts)}, services_lengths = ${lengths},
    next_due_at = ${new Date().toISOString()} where id = ${row.id}`.execute(tx.query)
}
