import { sql } from 'kysely'
import { parseExactly } from './frozen/exact-json.ts'
import type { MigrationTx } from './frozen/migration.ts'
import { type Room, roomJson } from './frozen/stored-room.ts'

export const name = '0002-journal'

/** Stores subscriptions, areas and autocomplete lists as the JSON of responses, so that reads need not build it. */
export async function up(tx: MigrationTx): Promise<void> {
  const { text, integer } = tx.dialect
  const run = (statement: string) => sql.raw(statement).execute(tx.query)
  for (const statement of tx.dialect.auditTable) await run(statement)
  await run(`alter table partner add column version ${integer} not null default 1`)
  await run('alter table subscription rename to old_subscription')
  // Stores the subscriptions of a room next to each other on the disk, since they are always read together.
  await run(`create table subscription (
    area_id ${text} not null references area (id) on delete cascade, position ${integer} not null, id ${text} not null,
    code ${text} not null, start_at ${text}, end_at ${text}, json ${text} not null,
    primary key (area_id, position)) ${tx.dialect.clustered}`)
  await renderSubscriptions(tx)
  await run('drop table old_subscription')
  await run(`alter table area add column json ${text} not null default ''`)
  await renderAreas(tx)
  await renderLists(tx)
}

interface OldSubscription {
  id: string
  area_id: string
  position: number
  code: string
  label: string | null
  status: string
  start_at: string | null
  end_at: string | null
  extra: string
}

const atOnce = 500

async function renderSubscriptions(tx: MigrationTx): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<OldSubscription>`select * from old_subscription
      where id > ${after} order by id limit ${atOnce}`.execute(tx.query)
    for (const { id, area_id, position, code, label, status, start_at, end_at, extra } of rows) {
      const own = parseExactly(extra) as Record<string, unknown>
      const json = JSON.stringify({ id, code, label, status, start: start_at, end: end_at, ...own })
      await sql`insert into subscription (id, area_id, position, code, start_at, end_at, json)
        values (${id}, ${area_id}, ${position}, ${code}, ${start_at}, ${end_at}, ${json})`.execute(tx.query)
    }
    if (rows.length < atOnce) return
    after = rows.at(-1)?.id as string
  }
}

interface OldArea extends Room {
  id: string
}

async function renderAreas(tx: MigrationTx): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<OldArea>`select id, id_external, name, opened_at, cycle,
      date_created, date_updated, data_general from area where id > ${after} order by id limit ${atOnce}`.execute(
      tx.query,
    )
    for (const row of rows) await renderArea(tx, row)
    if (rows.length < atOnce) return
    after = rows.at(-1)?.id as string
  }
}

async function renderArea(tx: MigrationTx, row: OldArea): Promise<void> {
  const { rows } = await sql<{ json: string }>`select json from subscription
    where area_id = ${row.id} order by position`.execute(tx.query)
  const json = roomJson(
    row,
    rows.map((subscription) => subscription.json),
  )
  await sql`update area set json = ${json} where id = ${row.id}`.execute(tx.query)
}

async function renderLists(tx: MigrationTx): Promise<void> {
  const { rows } = await sql<{ facility_id: number; id_external: string }>`select facility_id, id_external
    from autocomplete_list join facility on facility.id = facility_id`.execute(tx.query)
  for (const { facility_id, id_external } of rows) {
    const list = sql<{ entries: string }>`select entries from autocomplete_list where facility_id = ${facility_id}`
    const { entries: text } = (await list.execute(tx.query)).rows[0] as { entries: string }
    const old = JSON.parse(text) as { id: string; name: string }[]
    const entries = JSON.stringify(old.map(({ id, name }) => ({ id_external: `${id_external}-${id}`, name })))
    await sql`update autocomplete_list set entries = ${entries} where facility_id = ${facility_id}`.execute(tx.query)
  }
}
