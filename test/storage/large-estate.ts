import { sql } from 'kysely'
import type { Db } from '../../src/storage/database.ts'

export const size = { facilities: 20_000, areasEach: 2, partners: 2000, everyNth: 100 }

const areas = size.facilities * size.areasEach
const unsealed = 1000
const date = `'2026-01-01T00:00:00.000Z'`
/** An expiry that does not come while the test runs. */
const later = `'2999-01-01T00:00:00.000Z'`

/** Recent enough to be retained, and too old for the statistics of the last hours. */
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 14)

/** Inserts that generate their rows in the database, in SQL that both engines accept: 250,000 in a second or two. */
const statements = [
  rows('facility', size.facilities, [
    "i, 'f' || i, 'Facility ' || i, case when i % 10 = 0 then 'closed' else 'active' end, 'hotel', null, null, 1,",
    `'UTC', 1, null, '[]', ${date}, ${date}, ' facility ' || i`,
  ]),
  rows(
    'area (id, facility_id, id_short, id_external, sort_key, name, data_general, json, date_created, date_updated, next_due_at)',
    areas,
    [
      `'area' || i, (i - 1) / ${size.areasEach} + 1, 's' || i, 'f' || ((i - 1) / ${size.areasEach} + 1) || '-s' || i,`,
      `'s' || i, 'Room ' || i, '[]', '{"data_services":[]}', ${date}, ${date},`,
      `case when i % 10 = 0 then '2999-01-01T00:00:00.' || i end`,
    ],
  ),
  rows('autocomplete_list', size.facilities, ["i, '[]', 0"]),
  rows('partner (id, name)', size.partners, ["'p' || i, 'Partner ' || i"]),
  rows('partner_grant', size.partners * 2, [
    `'g' || i, 'p' || ((i + 1) / 2), i % 2, case when i % ${size.everyNth * 2} = 0 then 1 else 0 end,`,
    `'"*"', '"*"', '"*"'`,
  ]),
  rows('partner_grant_facility', size.partners * 20, [
    `'g' || ((i + 9) / 10), 'p' || ((i + 19) / 20), (i * 7) % ${size.facilities} + 1`,
  ]),
  rows('token', size.partners * 2, [
    `'t' || i, 'p' || ((i + 1) / 2), 'x', 'x' || i, ${date}, null, null, null, '[]', null, null, null`,
  ]),
  rows('audit_entry (at, actor_kind, actor, token, action, facility, subject, detail)', areas, [
    `${date}, 'partner', 'p7', 't7', 'room.open', 'f' || i, 'f' || i || '-s' || i, '{}'`,
  ]),
  rows('audit_place', areas - unsealed, [`'f' || i, ${date}, i`]),
  rows('audit_placed', 1, [`i, ${areas - unsealed}`]),
  rows('audit_seal', areas - unsealed, [`i, i, i, 1, '', '', ${date}, ''`]),
  rows('request_log (at, partner, method, status, duration_us, request_id)', areas, [
    `${later}, 'p' || (i % 100), 'GET', 200, 1, 'r' || i`,
  ]),
  rows('request_count', areas, [`'${yesterday}' || i, 'p7', 200, 1, 1, 1`]),
  rows('refusal_count', areas, [`'${yesterday}' || i, 'p7', 'not_granted', 1`]),
  rows('idempotency_key', areas / 2, [
    `'p' || ((i - 1) % ${size.partners} + 1), 'openRoom x' || i, 'k' || i, 'area' || i, '', '', '', i % 2, ${later}`,
  ]),
]

export function rows(table: string, count: number, values: string[]): string {
  return `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into ${table} select ${values.join(' ')} from n`
}

export function fill(db: Db): Promise<void> {
  return db.write(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx.query)
  })
}

export function analyze(db: Db): Promise<unknown> {
  return db.write((tx) => sql.raw('analyze').execute(tx.query))
}
