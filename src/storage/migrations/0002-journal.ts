import { sql } from 'kysely'
import { parseExactly } from '../../domain/exact-json.ts'
import { roomJson, subscriptionJson } from '../../domain/stored-room.ts'
import type { Tx } from '../engine.ts'

export const name = '0002-journal'

/**
 * The journal of all changes; partners' versions; and subscriptions, areas and lists as the text that is answered, so
 * that reading them renders nothing.
 */
export async function up(tx: Tx): Promise<void> {
  const { text, integer } = tx.columns
  const run = (statement: string) => sql.raw(statement).execute(tx.query)
  for (const statement of tx.journalSchema) await run(statement)
  await run(`alter table partner add column version ${integer} not null default 1`)
  await run('alter table subscription rename to old_subscription')
  // Found by its room and nothing else, so that a room's subscriptions stand together.
  await run(`create table subscription (
    area_id ${text} not null references area (id) on delete cascade, position ${integer} not null, id ${text} not null,
    code ${text} not null, start_at ${text}, end_at ${text}, json ${text} not null,
    primary key (area_id, position)) ${tx.clustered}`)
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

async function renderSubscriptions(tx: Tx): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<OldSubscription>`select * from old_subscription
      where id > ${after} order by id limit ${atOnce}`.execute(tx.query)
    for (const { area_id, position, start_at, end_at, extra, ...common } of rows) {
      const { id, code } = common
      const json = subscriptionJson({
        ...common,
        start: start_at,
        end: end_at,
        extra: parseExactly(extra) as Record<string, unknown>,
      })
      await sql`insert into subscription (id, area_id, position, code, start_at, end_at, json)
        values (${id}, ${area_id}, ${position}, ${code}, ${start_at}, ${end_at}, ${json})`.execute(tx.query)
    }
    if (rows.length < atOnce) return
    after = rows.at(-1)?.id as string
  }
}

interface OldArea {
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

async function renderAreas(tx: Tx): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<OldArea>`select id, facility_id, id_external, id_short, name, opened_at, cycle,
      date_created, date_updated, data_general from area where id > ${after} order by id limit ${atOnce}`.execute(
      tx.query,
    )
    for (const row of rows) await renderArea(tx, row)
    if (rows.length < atOnce) return
    after = rows.at(-1)?.id as string
  }
}

async function renderArea(tx: Tx, row: OldArea): Promise<void> {
  const { rows } = await sql<{ json: string }>`select json from subscription
    where area_id = ${row.id} order by position`.execute(tx.query)
  const room = {
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
  const json = roomJson(
    room,
    rows.map((subscription) => subscription.json),
  )
  await sql`update area set json = ${json} where id = ${row.id}`.execute(tx.query)
}

async function renderLists(tx: Tx): Promise<void> {
  const facilities = await tx.query
    .selectFrom('autocomplete_list')
    .innerJoin('facility', 'facility.id', 'autocomplete_list.facility_id')
    .select(['facility_id', 'id_external'])
    .execute()
  for (const { facility_id, id_external } of facilities) {
    const list = tx.query.selectFrom('autocomplete_list').where('facility_id', '=', facility_id).select('entries')
    const old = JSON.parse((await list.executeTakeFirstOrThrow()).entries) as { id: string; name: string }[]
    const entries = JSON.stringify(old.map(({ id, name }) => ({ id_external: `${id_external}-${id}`, name })))
    await tx.query.updateTable('autocomplete_list').set({ entries }).where('facility_id', '=', facility_id).execute()
  }
}
