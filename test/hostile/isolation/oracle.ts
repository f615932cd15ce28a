// The expected responses, by the documented decisions. Independent of src/: it shares no code with what it checks.
import { type Kind, names } from '../../harness/grant-names.ts'
import { matrix } from '../../partner/matrix/oracle.ts'
import { type Facility, fullId, type Partner, type Room, type Stay, stayIn, type World } from './world.ts'

/** One request of one partner, as the oracle sees it. */
export interface Cell {
  partner: Partner
  /** As in the matrix: `GET /v1/me`. */
  route: string
  /** The facility in the path, which need not exist. */
  facilityId: string
  facility: Facility | undefined
  room: Room | undefined
  /** The full id in the path, for routes of rooms. */
  areaId: string
  serviceId: string
  query: Query
  /** What is sent as `value`; `broken` is a body that every route refuses. */
  value: unknown
  isBroken: boolean
}

export interface Query {
  limit?: number
  status?: string
  type?: string
  q?: string
  open?: boolean
  service?: string
  unknown?: string
}

export interface Expected {
  status: number
  code?: string
  required?: Record<string, string>
  /** The body of a 200; `<date>`, `<uuid>`, `<cursor>` and `<text>` match any value of their kind. */
  body?: unknown
}

function covering({ grants }: Partner, facility: string): Partner['grants'] {
  return grants.filter(({ facilities }) => facilities === '*' || facilities.includes(facility))
}

export function has(partner: Partner, facility: string, kind: Kind, name: string): boolean {
  return covering(partner, facility).some((grant) => grant[kind] === '*' || grant[kind].includes(name))
}

export function sees(partner: Partner, facility: string): boolean {
  return covering(partner, facility).length > 0
}

/** Checks in the documented order: existence and visibility, grant, installation, query, body. */
export function expectedOf(world: World, cell: Cell): Expected {
  const { partner, route, facility, query } = cell
  const row = matrix[route]
  if (row === undefined) throw new Error(`no row for ${route}`)
  const isVisible = sees(partner, cell.facilityId)
  if (row.on === 'facility' && facility === undefined) {
    const nothingHidden = partner.grants.some(({ facilities }) => facilities === '*')
    return nothingHidden ? { status: 404, code: 'facility_not_found' } : refusedFacility
  }
  if (row.on === 'facility' && !isVisible) return refusedFacility
  if (row.on === 'area' && (cell.room === undefined || !isVisible)) return { status: 404, code: 'area_not_found' }
  // None of these partners is a sandbox or has partner rights such as webhooks.
  if (row.sandbox) return { status: 403, code: 'sandbox_required' }
  if (row.right !== undefined) return { status: 403, code: 'not_granted', required: { right: row.right } }
  const isMet = (need: typeof row.needs) => need !== undefined && has(partner, cell.facilityId, ...need)
  if (row.needs && !isMet(row.needs) && !isMet(row.orNeeds)) {
    const [kind, name] = row.needs
    return { status: 403, code: 'not_granted', required: { facility: cell.facilityId, [kind]: name } }
  }
  const reliedOn = isMet(row.needs) ? row.needs : row.orNeeds
  if (reliedOn?.[1] === 'services' && !facility?.room_services)
    return { status: 403, code: 'room_services_unsupported' }
  if (query.unknown !== undefined) return { status: 400, code: 'parameter_unknown' }
  if (cell.isBroken) return { status: 400, code: 'value_missing' }
  return answers[route]?.(world, cell) ?? { status: 200 }
}

const refusedFacility = { status: 403, code: 'facility_not_granted' }

const answers: Record<string, (world: World, cell: Cell) => Expected> = {
  'GET /v1/facilities/': ({ facilities }, { partner, query }) => {
    const { status, type, limit } = query
    const reads = (facility: string) => has(partner, facility, 'read', 'type')
    if (type !== undefined && !['*', ...facilities.map(({ id_external }) => id_external)].some(reads)) {
      return { status: 403, code: 'not_granted', required: { read: 'type' } }
    }
    const chosen = facilities.filter((one) => {
      const isOfType = type === undefined || (one.type === type && reads(one.id_external))
      return sees(partner, one.id_external) && isOfType && (status === undefined || one.status === status)
    })
    return ok(chosen.slice(0, limit).map(summaryOf))
  },
  'GET /v1/me': (_, { partner }) =>
    ok({
      partner: { id: partner.id, name: partner.name },
      token: { id: '<text>', name: 'harness', expires_at: null },
      grants: addedUp(partner),
      contract: null,
      rate_limit: null,
    }),
  'GET /v1/events': () => ok({ data: [], next: '<cursor>' }),
  'GET /v1/facilities/{facilityExternalId}/': (_, cell) => ok(facilityFor(cell.partner, cell.facility as Facility)),
  'GET /v1/facilities/{facilityExternalId}/areas': (world, { facility, query: { q, limit, open, service } }) => {
    const found = (facility as Facility).areas.filter((room) => {
      const { isOpen, services } = stayIn(world, fullId(facility as Facility, room))
      const hasService = service === undefined || services.some(({ code }) => code === service)
      return (q === undefined || room.id === q) && (open === undefined || open === isOpen) && hasService
    })
    return ok(found.slice(0, limit).map((room) => areaOf(world, facility as Facility, room)))
  },
  'GET /v1/facilities/{facilityExternalId}/areas_autocomplete_list': (_, { facility, query: { q, limit } }) => {
    const found = (facility as Facility).areas_autocomplete_list.filter(({ id }) => q === undefined || id === q)
    return ok(listOf(facility as Facility, found.slice(0, limit)))
  },
  'PATCH /v1/facilities/{facilityExternalId}/areas_autocomplete_list': (_, { facility, value }) => {
    const sent = value as { id_external: string; name: string }[]
    const entries = sent.map(({ id_external, name }) => ({ id: id_external, name }))
    return ok(listOf(facility as Facility, entries))
  },
  'PATCH /v1/facilities/{facilityExternalId}/name': (_, { value }) => ok({ name: value }),
  'PATCH /v1/facilities/{facilityExternalId}/ssid_public': (_, { value }) => ok({ ssid_public: value }),
  'PATCH /v1/facilities/{facilityExternalId}/subscription_url': (_, { value }) => ok({ subscription_url: value }),
  'GET /v1/areas/{areaExternalId}/': (world, { facility, room }) =>
    ok(areaOf(world, facility as Facility, room as Room)),
  'POST /v1/areas/{areaExternalId}/': (_, cell) => ok(turned(cell, { isOpen: true, services: [] })),
  'DELETE /v1/areas/{areaExternalId}/': (_, cell) => ok(turned(cell, { isOpen: false, services: [] })),
  'GET /v1/areas/{areaExternalId}/data_services': (world, { areaId }) =>
    ok({ data_services: stayIn(world, areaId).services.map(serviceOf) }),
  'POST /v1/areas/{areaExternalId}/data_services': (world, { areaId, value }) => {
    const added = (JSON.parse(value as string) as { code: string }[]).map(({ code }) => ({ id: '<uuid>', code }))
    return ok({
      info: '<text>',
      services: { data_services: [...stayIn(world, areaId).services, ...added].map(serviceOf) },
    })
  },
  'DELETE /v1/areas/{areaExternalId}/data_services/{serviceId}': (world, { areaId, serviceId }) => {
    const { services } = stayIn(world, areaId)
    if (!services.some(({ id }) => id === serviceId)) return { status: 404, code: 'service_not_found' }
    return ok({
      info: '<text>',
      id: serviceId,
      remaining_services: services.filter(({ id }) => id !== serviceId).map(serviceOf),
    })
  },
}

function ok(body: unknown): Expected {
  return { status: 200, body }
}

/** Without the grant to read areas, opening and closing do not return the operator's data about the room. */
function turned({ partner, facilityId, facility, room }: Cell, stay: Stay) {
  const { data_general, ...area } = areaIn(facility as Facility, room as Room, stay)
  const isReadable = has(partner, facilityId, 'read', 'areas')
  return { info: '<text>', area: isReadable ? { ...area, data_general } : area }
}

function summaryOf({ id, id_external, name, status }: Facility) {
  return { id, id_external, name, status }
}

/** The four fields that are always present, and those that the grants add. */
function facilityFor(partner: Partner, facility: Facility) {
  const { ssid_public, address, subscription_url, type, subscribed } = facility
  const devices = facility.devices.map(({ area, ...device }) => ({
    ...device,
    area_id_external: area === null ? null : `${facility.id_external}-${area}`,
  }))
  const all: Record<string, object> = {
    date_created: { date_created: '<date>' },
    date_updated: { date_updated: '<date>' },
    ssid_public: { ssid_public },
    address: { address },
    subscription_url: { subscription_url },
    type: { type },
    subscribed: { subscribed },
    devices: { devices },
    areas: { areas_count: facility.areas.length },
    areas_autocomplete_list: { areas_autocomplete_list_count: facility.areas_autocomplete_list.length },
  }
  const granted = names.read.filter((name) => has(partner, facility.id_external, 'read', name))
  return Object.assign(summaryOf(facility), ...granted.map((name) => all[name]))
}

function listOf({ id_external }: Facility, entries: Facility['areas_autocomplete_list']) {
  return { areas_autocomplete_list: entries.map(({ id, name }) => ({ id_external: `${id_external}-${id}`, name })) }
}

function areaOf(world: World, facility: Facility, room: Room) {
  return areaIn(facility, room, stayIn(world, fullId(facility, room)))
}

function areaIn(facility: Facility, room: Room, { isOpen, services }: Stay) {
  return {
    id_external: fullId(facility, room),
    name: room.name,
    opened_at: isOpen ? '<date>' : null,
    cycle: isOpen ? '<uuid>' : null,
    date_created: '<date>',
    date_updated: '<date>',
    data_services: services.map(serviceOf),
    data_general: room.data_general,
  }
}

function serviceOf({ id, code }: { id: string; code: string }) {
  return { id, code, label: null, status: 'active', start: null, end: null }
}

/** One entry per facility that a grant names, and one for all others. */
function addedUp(partner: Partner) {
  const named = partner.grants.flatMap(({ facilities }) => (facilities === '*' ? [] : facilities))
  const isEverywhere = partner.grants.some(({ facilities }) => facilities === '*')
  return [...(isEverywhere ? ['*'] : []), ...new Set(named.toSorted())].map((facility) => ({
    facility,
    ...Object.fromEntries(
      (Object.keys(names) as Kind[]).map((kind) => [
        kind,
        names[kind].filter((name) => has(partner, facility, kind, name)),
      ]),
    ),
  }))
}
