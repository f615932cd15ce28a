import { sql } from 'kysely'
import type { Db } from '../../src/storage/database.ts'
import { rows } from '../storage/large-estate.ts'

/** Larger than every page and limit of the console. */
export const group = { facilities: 300, roomsEach: 120, partners: 30, tokens: 150, services: 1800 }

const rooms = group.facilities * group.roomsEach
const iso = (ms: number) => new Date(Date.now() + ms).toISOString()
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Fills a database with 300 facilities and 36,000 rooms, partners with many kinds of refusals, tokens that expire or are
 * unused, and failing webhooks, by SQL, so that it takes a second.
 */
export function fillGroup(db: Db): Promise<void> {
  return db.write(async (tx) => {
    for (const statement of statements()) await sql.raw(statement).execute(tx.query)
    // PostgreSQL analyzes by itself within a minute; until then it plans for empty tables.
    await sql`analyze`.execute(tx.query)
  })
}

function statements(): string[] {
  const stamp = iso(-100 * dayMs)
  const made = `'${stamp}'`
  const minute = `'${iso(-20 * 60_000).slice(0, 17)}00.000Z'`
  const end = iso(hourMs)
  const service = (id: string) =>
    `'{"id":"' || ${id} || '","code":"tv","label":null,"start":null,"end":"${end}","status":"active"}'`
  const length = `{"id":"100000","code":"tv","label":null,"start":null,"end":"${end}","status":"active"}`.length
  const each = rooms / group.services
  const inFacility = `(i - 1) / ${group.roomsEach} + 1`
  const short = `'r' || (100000 + i)`
  // Every second facility has open rooms, in varying numbers.
  const open = `(${inFacility}) % 2 = 0 and i % (5 + (${inFacility}) % 7) = 0`
  const partner = `'g' || ((i - 1) % ${group.partners} + 1)`
  return [
    rows('facility', group.facilities, [
      "1000 + i, 'f' || i, 'Hospital ' || i, 'active', 'hospital', null, null, 1,",
      `'UTC', 1, null, '[]', ${made}, ${made}, ' hospital ' || i || ' '`,
    ]),
    rows(
      'area (id, facility_id, id_short, id_external, sort_key, name, data_general, date_created, date_updated, cycle, json, services_lengths, next_due_at)',
      rooms,
      [
        `'room' || i, 1000 + ${inFacility}, ${short}, 'f' || (${inFacility}) || '-' || ${short}, 'r0F' || (100000 + i), 'Room ' || i,`,
        `'[]', ${made}, ${made}, case when ${open} then 'cycle' || i end,`,
        `'{"id_external":"f' || (${inFacility}) || '-' || ${short} || '","name":"Room ' || i || '","opened_at":null,"cycle":null,' ||`,
        `'"date_created":"${stamp}","date_updated":"${stamp}","data_services":[' || case when i % ${each} = 0 then ${service('(100000 + i)')} else '' end || '],"data_general":[]}',`,
        `case when i % ${each} = 0 then '${length}' else '' end, case when i % ${each} = 0 then '${end}' end`,
      ],
    ),
    rows('autocomplete_list', group.facilities, ["1000 + i, '[]', 0"]),
    rows('partner (id, name)', group.partners, ["'g' || i, 'Group ' || i"]),
    rows('token', group.tokens, [
      `'expiring' || i, ${partner}, 'expiring ' || i, 'hash a' || i, ${made}, '${iso(dayMs)}', null, '${iso(0)}', '[]', null, null, '${iso(dayMs)}'`,
    ]),
    rows('token', group.tokens, [
      `'overdue' || i, ${partner}, 'overdue ' || i, 'hash c' || i, ${made}, null, null, '${iso(0)}', '[]', null, '${iso(-dayMs)}', null`,
    ]),
    rows('token', group.tokens, [
      `'unused' || i, ${partner}, 'unused ' || i, 'hash b' || i, ${made}, null, null, null, '[]', null, null, null`,
    ]),
    rows('webhook', 200, [
      `'hook' || i, ${partner}, 'https://receiver.example/' || i, '"*"', 0, 'whsec_eA==', null, null, 0, null, null, 3,`,
      `'${iso(-hourMs)}', '${iso(dayMs)}', case when i > 120 then '${iso(-hourMs)}' end,`,
      `case when i > 120 then 'failed' end, null, ${made}, ${made}, ${made}, null`,
    ]),
    ...[200, 403, 500].map((status) =>
      rows('request_count', group.partners, [
        `${minute}, 'g' || i, ${status}, i * ${status}, i * ${status} * 2000, 9000`,
      ]),
    ),
    ...['not_granted', 'facility_not_granted', 'area_not_found'].map((code) =>
      rows('refusal_count', group.partners, [`${minute}, 'g' || i, '${code}', i * ${code.length}`]),
    ),
    rows('request_log (at, partner, method, route, facility, status, code, duration_us, request_id)', 12_000, [
      `'${iso(-600_000)}', ${partner}, 'GET', '/v1/me', null, case when i % 1000 = 0 then 403 else 200 end,`,
      `case when i % 1000 = 0 then 'not_granted' end, 1000, 'r' || i`,
    ]),
    rows('audit_entry (at, actor_kind, actor, action, facility, subject, detail)', 12_000, [
      `${made}, 'partner', ${partner}, case when i % 1000 = 0 then 'room.close' else 'room.open' end, null,`,
      `'f1-r' || i, '{"cycle":null}'`,
    ]),
  ]
}
