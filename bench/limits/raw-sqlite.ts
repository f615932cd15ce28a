/** Reference: the statements of one write and one durable commit in a loop, without HTTP. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { newId } from '../../src/domain/identifier.ts'
import { benchEstate } from '../estate/shape.ts'
import { changedRoom, subscriptionText } from '../estate/subscriptions.ts'
import { auditColumns, auditTable, auditValues } from './schema.ts'

const { file, work, seconds, facilities, areas } = JSON.parse(process.argv[2] ?? '{}')
const shape = benchEstate(1)
const database = new DatabaseSync(file)
database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on')
database.exec('pragma foreign_keys = on')
database.exec(auditTable.sqlite)

const now = () => new Date().toISOString()
const prepare = (sql: string) => database.prepare(sql)
const steps = {
  facility: () => prepare('select * from facility where id_external = ?'),
  area: () =>
    prepare(
      'select area.*, facility.id_external as facility from area join facility on facility.id = area.facility_id where area.id_external = ?',
    ),
  rename: () => prepare('update facility set name = ?, date_updated = ? where id = ?'),
  change: () =>
    prepare(`update area set cycle = ?, opened_at = ?, date_updated = ?, services_lengths = ?, next_due_at = ?, json = ?
      where id = ?`),
  audit: () => prepare(`insert into audit_entry (${auditColumns}) values (${auditValues})`),
  areas: () => prepare(areasSql),
}
const kept: Partial<Record<keyof typeof steps, StatementSync>> = {}
const run = (step: keyof typeof steps): StatementSync => (kept[step] ??= steps[step]())

/** Query for one response of the areas endpoint, built by the engine. */
const areasSql = `select json_group_array(json(json) order by sort_key, id_short) as json
  from area where facility_id = (select id from facility where id_external = ?)`

const nextDue = '2027-11-04T08:00:00.000Z'
let turn = 0
const facilityAt = (step: number) => (step * 7919) % facilities
const roomAt = (step: number) => shape.area(facilityAt(step), Math.floor(step / facilities) % areas).fullId

interface Row {
  id: string
  cycle: string | null
  opened_at: string | null
  json: string
  services_lengths: string
}

/** Reads a room and replaces its subscriptions. */
function change(step: number, work: (services: string[]) => string[], cycle?: { id: string | null }): void {
  const row = run('area').get(roomAt(step)) as unknown as Row
  const room = changedRoom({ json: row.json, lengths: row.services_lengths }, work)
  const [id, openedAt] = cycle ? [cycle.id, cycle.id && now()] : [row.cycle, row.opened_at]
  run('change').run(id, openedAt, now(), room.lengths, nextDue, room.json, row.id)
}

const writes: Record<string, (step: number) => void> = {
  W1: (step) => {
    const row = run('facility').get(shape.facility(facilityAt(step)).idExternal)
    run('rename').run(`Hôtel ${step} ${turn}`, now(), row?.id ?? 0)
  },
  W2: (step) => change(step, (services) => [...services, subscriptionText(shape.subscription(step, 0, 3))]),
  W3: (step) => change(step, (services) => services.slice(1)),
  W4: (step) => change(Math.floor(step / 2), () => [], { id: step % 2 === 0 ? newId() : null }),
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
