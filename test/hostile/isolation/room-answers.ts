// The expected responses about one room. Independent of src/, like oracle.ts.
import type { Cell, Expected } from './oracle.ts'
import { type Facility, fullId, has, type Room, type Stay, stayIn, type World } from './world.ts'

type Answer = (world: World, cell: Cell) => Expected

export const roomAnswers: Record<string, Answer> = {
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
    if (!services.some(({ id }) => id === serviceId)) return missingService
    return ok({
      info: '<text>',
      id: serviceId,
      remaining_services: services.filter(({ id }) => id !== serviceId).map(serviceOf),
    })
  },
  'PATCH /v1/areas/{areaExternalId}/data_services/{serviceId}': (world, { areaId, serviceId }) => {
    const { services } = stayIn(world, areaId)
    if (!services.some(({ id }) => id === serviceId)) return missingService
    return ok({ info: '<text>', id: serviceId, services: { data_services: services.map(serviceOf) } })
  },
  'PUT /v1/areas/{areaExternalId}/data_services': (world, { areaId, value }) => {
    const { services } = stayIn(world, areaId)
    const sent = (value as { data_services: { id?: string; code: string }[] }).data_services
    const wanted = new Set(sent.flatMap(({ id }) => id ?? []))
    if ([...wanted].some((id) => !services.some((one) => one.id === id))) return missingService
    const added = sent.filter(({ id }) => id === undefined).map(({ code }) => ({ id: '<uuid>', code }))
    const all = [...services.filter(({ id }) => wanted.has(id)), ...added]
    return ok({ info: '<text>', services: { data_services: all.map(serviceOf) } })
  },
  'POST /v1/facilities/{facilityExternalId}/areas/bulk': (_, cell) => closedInBulk(cell),
  'POST /v1/areas/{areaExternalId}/move': (world, cell) => {
    const facility = cell.facility as Facility
    const { to } = cell.value as { to: string }
    const target = facility.areas.find((room) => fullId(facility, room) === to)
    if (target === undefined) return { status: 404, code: 'area_not_found' }
    const stay = stayIn(world, cell.areaId)
    if (!stay.isOpen) return { status: 409, code: 'room_not_open' }
    if (stayIn(world, to).isOpen) return { status: 409, code: 'room_occupied' }
    const left = shownTo(cell, cell.room as Room, { isOpen: false, services: [] })
    return ok({ info: '<text>', from: { area: left }, to: { area: shownTo(cell, target, stay) } })
  },
}

/** The result of the one operation of a call, which closes a room. */
function closedInBulk(cell: Cell): Expected {
  const { partner, facilityId, room } = cell
  const problem = (status: number, more: object) => {
    const texts = { type: '<text>', title: '<text>', detail: '<text>', instance: '<text>', request_id: '<text>' }
    return ok({ results: [{ status, problem: { ...texts, status, ...more } }] })
  }
  if (room === undefined) return problem(404, { code: 'area_not_found' })
  if (!has(partner, facilityId, 'rooms', 'open_close')) {
    return problem(403, { code: 'not_granted', required: { facility: facilityId, rooms: 'open_close' } })
  }
  return ok({ results: [{ status: 200, area: shownTo(cell, room, { isOpen: false, services: [] }) }] })
}

const missingService = { status: 404, code: 'service_not_found' }

export function ok(body: unknown): Expected {
  return { status: 200, body }
}

function turned(cell: Cell, stay: Stay) {
  return { info: '<text>', area: shownTo(cell, cell.room as Room, stay) }
}

/** Without the grant to read areas, opening, closing and moving do not return the operator's data about the room. */
function shownTo({ partner, facilityId, facility }: Cell, room: Room, stay: Stay) {
  const { data_general, ...area } = areaIn(facility as Facility, room, stay)
  return has(partner, facilityId, 'read', 'areas') ? { ...area, data_general } : area
}

export function areaOf(world: World, facility: Facility, room: Room) {
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
