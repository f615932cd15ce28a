/** The engine alone: the statements of one write and one durable commit, again and again, with no HTTP around it. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { newId } from '../../src/domain/identifier.ts'
import { benchEstate } from '../estate/shape.ts'
import { subscriptionRow } from '../estate/subscriptions.ts'
import { areaFields, auditColumns, auditTable, auditValues } from './schema.ts'

const { file, work, seconds, facilities, areas } = JSON.parse(process.argv[2] ?? '{}')
const shape = benchEstate(1)
const database = new DatabaseSync(file)
database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on')
database.exec('pragma foreign_keys = on')
database.exec(auditTable.sqlite)

const now = () => new Date().toISOString()
const prepare = (sql: string) => database.prepare(sql)
const subscriptionColumns = prepare('pragma table_info(subscription)')
  .all()
  .map(({ name }) => String(name))
const steps = {
  facility: () => prepare('select * from facility where id_external = ?'),
  area: () =>
    prepare(
      'select area.*, facility.id_external as facility from area join facility on facility.id = area.facility_id where area.id_external = ?',
    ),
  rename: () => prepare('update facility set name = ?, date_updated = ? where id = ?'),
  last: () => prepare('select count(*) as count, max(position) as position from subscription where area_id = ?'),
  all: () => prepare('select * from subscription where area_id = ? order by position'),
  add: () =>
    prepare(`insert into subscription (${subscriptionColumns}) values (${subscriptionColumns.map(() => '?')})`),
  remove: () => prepare('delete from subscription where area_id = ? and id = ?'),
  removeAll: () => prepare('delete from subscription where area_id = ?'),
  touch: () => prepare('update area set date_updated = ?, json = json where id = ?'),
  cycle: () => prepare('update area set cycle = ?, opened_at = ?, date_updated = ?, json = json where id = ?'),
  audit: () => prepare(`insert into audit_entry (${auditColumns}) values (${auditValues})`),
  areas: () => prepare(areasSql()),
}
const kept: Partial<Record<keyof typeof steps, StatementSync>> = {}
const run = (step: keyof typeof steps): StatementSync => (kept[step] ??= steps[step]())

/** One answer of the areas' endpoint, built by the engine. */
function areasSql(): string {
  const given = subscriptionColumns.includes('json')
    ? 'json(json)'
    : `json_object('id', id, 'code', code, 'label', label, 'status', status, 'start', start_at, 'end', end_at)`
  const fields = areaFields.map((field) => `'${field}', ${field}`).join(', ')
  return `select json_group_array(json_object(${fields}, 'data_services', (
      select json_group_array(${given} order by position) from subscription where area_id = area.id),
    'data_general', json(data_general)) order by sort_key, id_short) as json
    from area where facility_id = (select id from facility where id_external = ?)`
}

let turn = 0
const facilityAt = (step: number) => (step * 7919) % facilities
const roomAt = (step: number) => shape.area(facilityAt(step), Math.floor(step / facilities) % areas).fullId

function areaAt(step: number): { id: string; room: string } {
  const room = roomAt(step)
  return { id: String(run('area').get(room)?.id), room }
}

const writes: Record<string, (step: number) => void> = {
  W1: (step) => {
    const row = run('facility').get(shape.facility(facilityAt(step)).idExternal)
    run('rename').run(`Hôtel ${step} ${turn}`, now(), row?.id ?? 0)
  },
  W2: (step) => {
    const { id } = areaAt(step)
    const position = Number(run('last').get(id)?.position ?? 0) + 1
    const row = subscriptionRow(subscriptionColumns, id, position, shape.subscription(step, 0, 3))
    run('add').run(...subscriptionColumns.map((column) => row[column] ?? null))
    run('touch').run(now(), id)
    run('all').all(id)
  },
  W3: (step) => {
    const { id } = areaAt(step)
    const [first] = run('all').all(id)
    run('remove').run(id, String(first?.id))
    run('touch').run(now(), id)
    run('all').all(id)
  },
  W4: (step) => {
    const { id } = areaAt(Math.floor(step / 2))
    run('removeAll').run(id)
    run('cycle').run(step % 2 === 0 ? newId() : null, step % 2 === 0 ? now() : null, now(), id)
  },
}

function one(step: number): void {
  if (work === 'COLD') {
    run('areas').get(shape.facility(facilityAt(step)).idExternal)
    return
  }
  database.exec('begin immediate')
  writes[work]?.(step)
  run('audit').run()
  database.exec('commit')
}

const endMs = performance.now() + seconds * 1000
const startMs = performance.now()
while (performance.now() < endMs) one(turn++)
const rate = turn / ((performance.now() - startMs) / 1000)
database.close()
process.stdout.write(JSON.stringify({ rate }))
