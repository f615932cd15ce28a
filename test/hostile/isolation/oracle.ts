// The expected responses, by the documented decisions. Independent of src/: it shares no code with what it checks.
import { type Kind, names } from '../../harness/grant-names.ts'
import { matrix } from '../../partner/matrix/oracle.ts'
import { areaOf, ok, roomAnswers } from './room-answers.ts'
import { type Facility, fullId, has, type Partner, type Room, sees, stayIn, type World } from './world.ts'

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
  /** What is sent as the `value`, or as the whole body; `broken` is a body that every route refuses. */
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
  const missing = isMet(row.needs) || isMet(row.orNeeds) ? [row.andNeeds].find((one) => one && !isMet(one)) : row.needs
  if (missing) {
    return { status: 403, code: 'not_granted', required: { facility: cell.facilityId, [missing[0]]: missing[1] } }
  }
  const reliedOn = isMet(row.needs) ? row.needs : row.orNeeds
  if ([reliedOn, row.andNeeds].some((one) => one?.[1] === 'services') && !facility?.room_services)
    return { status: 403, code: 'room_services_unsupported' }
  if (query.unknown !== undefined) return { status: 400, code: 'parameter_unknown' }
  if (cell.isBroken) return { status: 400, code: takesPlainBody(route) ? 'body_invalid' : 'value_missing' }
  return answers[route]?.(world, cell) ?? { status: 200 }
}

/** Whether the body is what is sent, and not a `value` in an object. */
export function takesPlainBody(route: string): boolean {
  return /^(PUT|PATCH) .*\/data_services|\/(move|areas\/bulk)$/.test(route)
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
  ...roomAnswers,
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
