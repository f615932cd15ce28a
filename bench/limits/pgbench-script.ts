import type { EngineWork } from './engine.ts'
import { auditColumns, auditValues } from './schema.ts'

/** Each client counts its transactions in `n`, so that together they visit all facilities, then all rooms. */
export function pgbenchScript(work: EngineWork, { facilities, areas }: { facilities: number; areas: number }): string {
  const step = work === 'W4' ? '(:n - 1) / 2' : ':n'
  const place = [
    '\\set n :n + 1',
    `\\set k :client_id + 32 * (${step})`,
    `\\set f (:k * 7919) % ${facilities}`,
    `\\set a (:k / ${facilities}) % ${areas}`,
    `\\set short 101 + :a % 50 + 100 * (:a / 50)`,
    '\\set opens :n % 2',
  ]
  if (work === 'COLD') return `${[...place, areasQuery].join('\n')}\n`
  const audit = `insert into audit_entry (${oneLine(auditColumns)}) values (${oneLine(auditValues)});`
  const rights = `select version from partner where id = 'partner-00001';`
  const lines = [...place, 'begin;', rights, ...statements(work), audit, 'commit;']
  return `${lines.map(withoutTimes).join('\n')}\n`
}

const facility = `'site-' || lpad((:f)::text, 6, '0')`
const room = `${facility} || '-' || (:short)::text`
const now = 'now()::text'

const service = `'{"id":"' || gen_random_uuid()::text || '","code":"wifi-premium","label":"Service wifi-premium 3","status":"active","start":"2026-11-04T08:00:00.000Z","end":"2027-11-04T08:00:00.000Z"}'`
const nextDue = `'2027-11-04T08:00:00.000Z'`

function statements(work: Exclude<EngineWork, 'COLD'>): string[] {
  const lock = `select id as area, json as old from area where id_external = ${room} for update \\gset`
  const cycle = `case when (:opens)::int = 1 then gen_random_uuid()::text end`
  const change = (set: string) => `update area set ${set}, date_updated = ${now} where id = :area;`
  switch (work) {
    case 'W1':
      return [
        `select id as row from facility where id_external = ${facility} for update \\gset`,
        `update facility set name = 'Hôtel ' || (:f)::text || ' ' || (:n)::text, date_updated = ${now} where id = :row;`,
      ]
    case 'W2': {
      const json = `replace(json, '],"data_general"', ${service} || '],"data_general"')`
      return [lock, change(`json = ${json}, services_lengths = services_lengths || ',190', next_due_at = ${nextDue}`)]
    }
    case 'W3':
      return [lock, change(`json = json, services_lengths = services_lengths, next_due_at = ${nextDue}`)]
    case 'W4': {
      const opened = `case when (:opens)::int = 1 then ${now} end`
      return [lock, change(`cycle = ${cycle}, opened_at = ${opened}, json = json, next_due_at = null`)]
    }
  }
}

/** Query for one response of the areas endpoint, built by the engine. */
const areasQuery = oneLine(`select json_agg(json::json order by sort_key, id_short)
  from area where facility_id = (select id from facility where id_external = ${facility});`)

/** Escapes colons before digits, which pgbench would read as variables. */
function withoutTimes(line: string): string {
  return line.replaceAll(/(?<=\d):(?=\d)/g, '.')
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
