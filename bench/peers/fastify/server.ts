/** A minimal implementation: Fastify, prepared statements, a grant per facility, no caches. */
import { createHash, randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import Fastify, { type FastifyRequest } from 'fastify'

const [file = '', port = '0'] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 5000')

const partnerByToken = db.prepare('select id from partner where token_hash = ?')
const visible = db.prepare(`select f.id, f.id_external, f.name, f.status from facility f
  join grant_to g on g.facility_id = f.id where g.partner_id = ? order by f.id`)
const granted = db.prepare(`select f.*, g.readable, g.writable from facility f
  join grant_to g on g.facility_id = f.id where g.partner_id = ? and f.id_external = ?`)
const grantedArea = db.prepare(`select a.*, g.writable from area a
  join grant_to g on g.facility_id = a.facility_id where g.partner_id = ? and a.id_external = ?`)
const countAreas = db.prepare('select count(*) as count from area where facility_id = ?')
const countEntries = db.prepare('select json_array_length(entries) as count from list where facility_id = ?')
const areasOf = db.prepare('select * from area where facility_id = ? order by id')
const servicesOfFacility = db.prepare(`select s.* from subscription s join area a on a.id = s.area_id
  where a.facility_id = ? order by s.rowid`)
const servicesOfArea = db.prepare('select * from subscription where area_id = ? order by rowid')
const listOf = db.prepare('select entries from list where facility_id = ?')
const rename = db.prepare('update facility set name = ?, date_updated = ? where id = ?')
const addService = db.prepare(`insert into subscription (id, area_id, code, label, status, start, "end")
  values (?, ?, ?, ?, ?, ?, ?)`)
const deleteService = db.prepare('delete from subscription where id = ? and area_id = ?')

type Row = Record<string, string | number | null>

function refusal(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode })
}

function partnerOf(request: FastifyRequest): number {
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
  const partner = partnerByToken.get(createHash('sha256').update(token).digest('hex')) as Row | undefined
  if (partner === undefined) throw refusal(401, 'no such token')
  return partner.id as number
}

function facilityFor(request: FastifyRequest, right: 'readable' | 'writable', field: string): Row {
  const { id } = request.params as { id: string }
  const facility = granted.get(partnerOf(request), id) as Row | undefined
  if (facility === undefined) throw refusal(403, 'this facility is not granted')
  if (!(JSON.parse(facility[right] as string) as string[]).includes(field)) throw refusal(403, `no ${field}`)
  return facility
}

function areaFor(request: FastifyRequest): Row {
  const { id } = request.params as { id: string }
  const area = grantedArea.get(partnerOf(request), id) as Row | undefined
  if (area === undefined) throw refusal(404, 'no such area')
  if (!(JSON.parse(area.writable as string) as string[]).includes('services')) throw refusal(403, 'no services')
  return area
}

function showFacility({ readable, writable: _, ...row }: Row) {
  const all: Record<string, unknown> = {
    ...row,
    subscribed: row.subscribed === 1,
    address: JSON.parse(row.address as string),
    devices: JSON.parse(row.devices as string),
    areas_count: (countAreas.get(row.id as number) as Row).count,
    areas_autocomplete_list_count: (countEntries.get(row.id as number) as Row).count,
  }
  const fields = ['id', 'id_external', 'name', 'status', ...(JSON.parse(readable as string) as string[])]
  return Object.fromEntries(fields.filter((field) => field in all).map((field) => [field, all[field]]))
}

function showArea({ id: _, facility_id: __, ...row }: Row, services: Row[]) {
  return { ...row, data_general: JSON.parse(row.data_general as string), data_services: services.map(showService) }
}

function showService({ area_id: _, ...service }: Row): Row {
  return service
}

const app = Fastify({ logger: { level: 'error' } })
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const nameBody = { type: 'object', required: ['value'], properties: { value: text(255) } }
const serviceBody = {
  type: 'object',
  required: ['code'],
  properties: {
    code: text(64),
    label: { type: 'string' },
    status: { type: 'string' },
    start: { type: 'string', format: 'date-time' },
    end: { type: 'string', format: 'date-time' },
  },
}

app.get('/facilities', async (request) => visible.all(partnerOf(request)))

app.get('/facilities/:id', async (request) => showFacility(facilityFor(request, 'readable', 'type')))

app.get('/facilities/:id/areas', async (request) => {
  const { id } = facilityFor(request, 'readable', 'areas')
  const services = Map.groupBy(servicesOfFacility.all(id as number) as Row[], (row) => row.area_id)
  return (areasOf.all(id as number) as Row[]).map((area) => showArea(area, services.get(area.id as number) ?? []))
})

app.get('/facilities/:id/list', async (request) => {
  const { id } = facilityFor(request, 'readable', 'areas_autocomplete_list')
  return { areas_autocomplete_list: JSON.parse((listOf.get(id as number) as { entries: string }).entries) }
})

app.patch('/facilities/:id/name', { schema: { body: nameBody } }, async (request) => {
  const facility = facilityFor(request, 'writable', 'name')
  const { value } = request.body as { value: string }
  rename.run(value, new Date().toISOString(), facility.id as number)
  return showFacility({ ...facility, name: value })
})

app.post('/areas/:id/services', { schema: { body: serviceBody } }, async (request) => {
  const area = areaFor(request)
  const { code, label, status, start, end } = request.body as Record<string, string | undefined>
  const id = randomUUID()
  const value = [label ?? null, status ?? 'active', start ?? null, end ?? null]
  addService.run(id, area.id as number, code ?? '', ...value)
  return { id, data_services: (servicesOfArea.all(area.id as number) as Row[]).map(showService) }
})

app.delete('/areas/:id/services/:service', async (request) => {
  const area = areaFor(request)
  const { service } = request.params as { service: string }
  if (deleteService.run(service, area.id as number).changes === 0) throw refusal(404, 'no such service')
  return { id: service, remaining_services: (servicesOfArea.all(area.id as number) as Row[]).map(showService) }
})

app.get('/health', async () => ({ ok: true }))

await app.listen({ host: '127.0.0.1', port: Number(port) })
process.on('SIGTERM', () => process.exit(0))
