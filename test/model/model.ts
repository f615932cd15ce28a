import { type Kind, names } from '../harness/grant-names.ts'
import { type Area, type EstateSketch, type Facility, facilitiesOf, type Grant } from './estate.ts'

/** The expected state of the service, in the simplest possible form. */
export interface Model {
  facilities: Facility[]
  grants: Grant[][]
  keys: Map<string, KeyRecord>
}

export interface KeyRecord {
  area: Area
  body: string
  /** A failure only of one operation of a bulk call. */
  answer: Expected
  ended: boolean
}

export interface Success {
  status: 200
  body: unknown
  /** The representation of the ETag. */
  tagged?: unknown
  replayed?: boolean
}

export interface Failure {
  status: number
  code: string
  required?: Record<string, string>
}

export type Expected = Success | Failure

export function newModel(sketch: EstateSketch, firstId: number): Model {
  const facilities = facilitiesOf(sketch, firstId)
  const there = facilities.map(({ id_external }) => id_external)
  const named = (grant: Grant): Grant => ({
    ...grant,
    facilities: grant.facilities === '*' ? '*' : grant.facilities.filter((id) => there.includes(id)),
  })
  return { facilities, grants: sketch.partners.map((grants) => grants.map(named)), keys: new Map() }
}

class Refused extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.code)
    this.failure = failure
  }
}

export function refuse(status: number, code: string, required?: Record<string, string>): never {
  throw new Refused({ status, code, ...(required && { required }) })
}

export function outcome(work: () => Success): Expected {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refused) return error.failure
    throw error
  }
}

export type Need = [Kind, string] | undefined

export function covering({ grants }: Model, partner: number, facility: string): Grant[] {
  return (grants[partner] ?? []).filter(({ facilities }) => facilities === '*' || facilities.includes(facility))
}

export function rightsOf(grants: Grant[], kind: Kind): string[] {
  return names[kind].filter((name) => grants.some((grant) => grant[kind] === '*' || grant[kind].includes(name)))
}

function demand(model: Model, partner: number, facility: string, need: Need): void {
  if (need === undefined) return
  const [kind, name] = need
  if (rightsOf(covering(model, partner, facility), kind).includes(name)) return
  refuse(403, 'not_granted', { facility, [kind]: name })
}

export function facilityFor(model: Model, partner: number, id: string, need?: Need): Facility {
  if (covering(model, partner, id).length === 0) refuse(403, 'facility_not_granted')
  const facility = model.facilities.find(({ id_external }) => id_external === id)
  if (facility === undefined) return refuse(404, 'facility_not_found')
  demand(model, partner, id, need)
  return facility
}

export function findArea({ facilities }: Model, fullId: string): Area | undefined {
  return facilities.flatMap(({ areas }) => areas).find((area) => fullIdOf(area) === fullId)
}

export function areaFor(model: Model, partner: number, fullId: string, need: Need): Area {
  const area = findArea(model, fullId)
  if (area === undefined || covering(model, partner, area.facility.id_external).length === 0) {
    return refuse(404, 'area_not_found')
  }
  demand(model, partner, area.facility.id_external, need)
  if (need?.[1] === 'services' && !area.facility.room_services) refuse(403, 'room_services_unsupported')
  return area
}

export const fullIdOf = (area: Area) => `${area.facility.id_external}-${area.id}`

export function areaView(area: Area) {
  const { name, opened_at, cycle, date_created, date_updated, services } = area
  const data = { data_services: [...services], data_general: [] }
  return { id_external: fullIdOf(area), name, opened_at, cycle, date_created, date_updated, ...data }
}

/** Returns a room that the partner may open, close or add services to, or the expected refusal. */
export function areaViewFor(model: Model, partner: number, area: Area) {
  const { data_general, ...rest } = areaView(area)
  return mayReadAreas(model, partner, area) ? { ...rest, data_general } : rest
}

export function mayReadAreas(model: Model, partner: number, { facility }: Area): boolean {
  return rightsOf(covering(model, partner, facility.id_external), 'read').includes('areas')
}

export function listView({ id_external, list }: Facility) {
  return { areas_autocomplete_list: list.map(({ id, name }) => ({ id_external: `${id_external}-${id}`, name })) }
}

export function facilityView(model: Model, partner: number, facility: Facility): Record<string, unknown> {
  const { id, id_external, name, status } = facility
  const all: Record<string, [string, unknown]> = {
    date_created: ['date_created', facility.date_created],
    date_updated: ['date_updated', facility.date_updated],
    ssid_public: ['ssid_public', facility.ssid_public],
    address: ['address', null],
    subscription_url: ['subscription_url', facility.subscription_url],
    type: ['type', 'hotel'],
    subscribed: ['subscribed', false],
    devices: ['devices', []],
    areas: ['areas_count', facility.areas.length],
    areas_autocomplete_list: ['areas_autocomplete_list_count', facility.list.length],
  }
  const readable = rightsOf(covering(model, partner, id_external), 'read')
  return { id, id_external, name, status, ...Object.fromEntries(readable.map((field) => all[field] ?? [])) }
}
