import type { EngineWork } from './engine.ts'
import { areaFields, auditColumns, auditValues } from './schema.ts'

/** Each client counts its own transactions in `n`, so that together they go through all facilities, then all rooms. */
export function pgbenchScript(
  work: EngineWork,
  { facilities, areas }: { facilities: number; areas: number },
  subscriptionColumns: string[],
): string {
  const step = work === 'W4' ? '(:n - 1) / 2' : ':n'
  const place = [
    '\\set n :n + 1',
    `\\set k :client_id + 32 * (${step})`,
    `\\set f (:k * 7919) % ${facilities}`,
    `\\set a (:k / ${facilities}) % ${areas}`,
    `\\set short 101 + :a % 50 + 100 * (:a / 50)`,
    '\\set opens :n % 2',
  ]
  if (work === 'COLD') return `${[...place, areasQuery(subscriptionColumns)].join('\n')}\n`
  const audit = `insert into audit_entry (${oneLine(auditColumns)}) values (${oneLine(auditValues)});`
  const rights = `select version from partner where id = 'partner-00001';`
  const lines = [...place, 'begin;', rights, ...statements(work, subscriptionColumns), audit, 'commit;']
  return `${lines.map(withoutTimes).join('\n')}\n`
}

const facility = `'site-' || lpad((:f)::text, 6, '0')`
const room = `${facility} || '-' || (:short)::text`
const now = 'now()::text'

function statements(work: Exclude<EngineWork, 'COLD'>, columns: string[]): string[] {
  const lock = `select id as area from area where id_external = ${room} for update \\gset`
  const touch = `update area set date_updated = ${now}, json = json where id = :area;`
  const all = 'select * from subscription where area_id = :area order by position;'
  const cycle = `case when (:opens)::int = 1 then gen_random_uuid()::text end`
  switch (work) {
    case 'W1':
      return [
        `select id as row from facility where id_external = ${facility} for update \\gset`,
        `update facility set name = 'Hôtel ' || (:f)::text || ' ' || (:n)::text, date_updated = ${now} where id = :row;`,
      ]
    case 'W2':
      return [
        lock,
        'select coalesce(max(position), 0) + 1 as position from subscription where area_id = :area \\gset',
        `insert into subscription (${columns.join(', ')}) values (${columns.map(subscriptionValue).join(', ')});`,
        touch,
        all,
      ]
    case 'W3':
      return [
        lock,
        `delete from subscription where area_id = :area and id = (select id from subscription where area_id = :area order by position limit 1);`,
        touch,
        all,
      ]
    case 'W4':
      return [
        lock,
        'delete from subscription where area_id = :area;',
        `update area set cycle = ${cycle}, opened_at = case when (:opens)::int = 1 then ${now} end, date_updated = ${now}, json = json where id = :area;`,
      ]
  }
}

const given: Record<string, string> = {
  id: 'gen_random_uuid()::text',
  area_id: ':area',
  position: ':position',
  code: `'wifi-premium'`,
  label: `'Service wifi-premium 3'`,
  status: `'active'`,
  start_at: `'2026-11-04T08:00:00.000Z'`,
  end_at: `'2027-11-04T08:00:00.000Z'`,
  extra: `'{}'`,
  json: `'{"id":"' || gen_random_uuid()::text || '","code":"wifi-premium","label":"Service wifi-premium 3","status":"active","start":"2026-11-04T08:00:00.000Z","end":"2027-11-04T08:00:00.000Z"}'`,
}

function subscriptionValue(column: string): string {
  return given[column] ?? 'null'
}

/** One answer of the areas' endpoint, built by the engine. */
function areasQuery(columns: string[]): string {
  const entry = columns.includes('json')
    ? 'json::json'
    : `json_build_object('id', id, 'code', code, 'label', label, 'status', status, 'start', start_at, 'end', end_at)`
  const fields = areaFields.map((field) => `'${field}', ${field}`).join(', ')
  return oneLine(`select json_agg(json_build_object(${fields}, 'data_services', coalesce((
      select json_agg(${entry} order by position) from subscription where area_id = area.id), '[]'::json),
    'data_general', data_general::json) order by sort_key, id_short)
    from area where facility_id = (select id from facility where id_external = ${facility});`)
}

/** A colon before a digit would begin a variable. */
function withoutTimes(line: string): string {
  return line.replaceAll(/(?<=\d):(?=\d)/g, '.')
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
