import { type Kind, names } from '../harness/grant-names.ts'
import type { Area, Subscription } from './estate.ts'
import {
  areaFor,
  areaView,
  covering,
  facilityFor,
  facilityView,
  findArea,
  fullIdOf,
  listView,
  type Model,
  mayReadAreas,
  rightsOf,
  type Success,
} from './model.ts'

const shown = (body: unknown): Success => ({ status: 200, body, tagged: body })

export function listFacilities(model: Model, partner: number, status: string | undefined): Success {
  const visible = model.facilities.filter(({ id_external }) => covering(model, partner, id_external).length > 0)
  const wanted = visible.filter((facility) => status === undefined || facility.status === status)
  return shown(wanted.map(({ id, id_external, name, status }) => ({ id, id_external, name, status })))
}

export function readFacility(model: Model, partner: number, id: string): Success {
  return shown(facilityView(model, partner, facilityFor(model, partner, id)))
}

export interface AreaFilters {
  q?: string | undefined
  open?: boolean | undefined
  service?: string | undefined
}

export function listAreas(model: Model, partner: number, id: string, { q, open, service }: AreaFilters): Success {
  const { areas } = facilityFor(model, partner, id, ['read', 'areas'])
  const found = areas
    .filter((area) => q === undefined || begins(q, area))
    .filter(({ cycle }) => open === undefined || open === (cycle !== null))
    .filter(({ services }) => service === undefined || services.some(({ code }) => code === service))
  return shown(found.map(areaView))
}

/** Matches the start of a word in the name, of the short id, or of the full id if it is longer than the facility's prefix. */
function begins(q: string, area: Area): boolean {
  const { name, id, facility } = area
  if (q.startsWith(`${facility.id_external}-`) && fullIdOf(area).startsWith(q)) return true
  const words = `${name} ${id}`.toLowerCase().split(/[^a-z0-9]+/)
  return [name, id, ...words].some((text) => text.toLowerCase().startsWith(q.toLowerCase()))
}

/** With `at`, only the subscriptions whose window includes that time. */
export function readArea(model: Model, partner: number, fullId: string, at?: string): Success {
  const view = areaView(areaFor(model, partner, fullId, ['read', 'areas']))
  return shown({ ...view, data_services: validAt(view.data_services, at) })
}

function validAt(services: Subscription[], at: string | undefined): Subscription[] {
  if (at === undefined) return services
  const isBefore = (one: unknown, other: unknown) => Date.parse(String(one)) < Date.parse(String(other))
  return services.filter(({ start, end }) => !(start && isBefore(at, start)) && (!end || isBefore(at, end)))
}

/** For partners that may read areas or change the services of rooms. */
export function readServices(model: Model, partner: number, fullId: string, at?: string): Success {
  const found = findArea(model, fullId)
  const rooms = found ? rightsOf(covering(model, partner, found.facility.id_external), 'rooms') : []
  const isByServices = found && rooms.includes('services') && !mayReadAreas(model, partner, found)
  const area = areaFor(model, partner, fullId, isByServices ? ['rooms', 'services'] : ['read', 'areas'])
  return shown({ data_services: validAt(area.services, at) })
}

export function readList(model: Model, partner: number, id: string): Success {
  return shown(listView(facilityFor(model, partner, id, ['read', 'areas_autocomplete_list'])))
}

/** Returns the grants of `/v1/me`, sorted by facility with `*` first. */
export function readGrants(model: Model, partner: number): Record<string, unknown>[] {
  const grants = model.grants[partner] ?? []
  const named = new Set(grants.flatMap(({ facilities }) => (facilities === '*' ? [] : facilities)))
  const star = grants.some(({ facilities }) => facilities === '*')
  return [...(star ? ['*'] : []), ...[...named].sort()].map((facility) => {
    const here = covering(model, partner, facility)
    return { facility, ...Object.fromEntries(Object.keys(names).map((kind) => [kind, rightsOf(here, kind as Kind)])) }
  })
}

export const resources = {
  facility: (id: string) => `facility ${id}`,
  list: (id: string) => `list ${id}`,
  area: (area: Area | string) => `area ${typeof area === 'string' ? area : fullIdOf(area)}`,
}
