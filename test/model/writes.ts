import type { Area, Entry, Facility } from './estate.ts'
import { areaFor, areaViewFor, facilityFor, facilityView, listView, type Model, refuse, type Success } from './model.ts'
import { anyText, type Unknown, unknown } from './unknown.ts'
import { type Body, type Item, type Property, properties } from './values.ts'

export const limits = { room: 6, post: 4 }

/** The preconditions of a request. `text` is the representation whose ETag it sends. */
export interface RequestConditions {
  etag?: { text: string } | '*' | 'wrong' | undefined
  cycle?: Unknown | 'other' | undefined
  key?: string | undefined
}

function assertEtag({ etag }: RequestConditions, ...current: unknown[]): void {
  if (etag === undefined || etag === '*') return
  if (etag === 'wrong' || !current.some((one) => etag.text === JSON.stringify(one))) refuse(412, 'precondition_failed')
}

function assertCycle({ cycle }: RequestConditions, area: Area): void {
  if (cycle !== undefined && cycle !== area.cycle) refuse(412, 'cycle_ended')
}

/** The faults that any body can have. */
function valueIn<T>({ fault, value }: Body<T>): T {
  if (fault === 'no JSON') refuse(400, 'body_not_json')
  if (fault === 'no value') refuse(400, 'value_missing')
  return value
}

export function patchProperty(
  model: Model,
  partner: number,
  id: string,
  property: Property,
  said: RequestConditions,
  body: Body<number>,
): Success {
  const facility = facilityFor(model, partner, id, ['write', property])
  assertEtag(said, facilityView(model, partner, facility))
  const { stored } = properties[property][valueIn(body)] ?? {}
  if (stored === undefined) return refuse(400, 'value_invalid')
  if (facility[property] !== stored) {
    facility[property] = stored
    facility.date_updated = unknown('date')
  }
  return { status: 200, body: { [property]: stored }, tagged: facilityView(model, partner, facility) }
}

export function patchList(
  model: Model,
  partner: number,
  id: string,
  said: RequestConditions,
  body: Body<Entry[] | null>,
): Success {
  const facility = facilityFor(model, partner, id, ['write', 'areas_autocomplete_list'])
  assertEtag(said, listView(facility))
  const entries = valueIn(body)
  if (entries === null) return refuse(400, 'value_not_array')
  const ids = entries.map((entry) => entry.id)
  if (new Set(ids).size < ids.length || entries.some(({ name }) => name === '')) refuse(400, 'item_invalid')
  if (ids.some((sent) => isFullId(facility, sent))) refuse(400, 'item_invalid')
  facility.list = entries
  return { status: 200, body: listView(facility), tagged: listView(facility) }
}

/** Refuses full ids of known rooms and entries that are sent in place of short ones. */
function isFullId({ id_external, areas, list }: Facility, sent: string): boolean {
  const known = [...areas, ...list].map(({ id }) => id)
  return known.some((id) => sent === `${id_external}-${id}`) && !known.includes(sent)
}

interface Change {
  body: string
  apply(area: Area): (view: ReturnType<typeof areaViewFor>) => unknown
  /** The room whose next opening or closing ends the idempotency key. Default: the room that changes. */
  keyOf?: Area | undefined
}

/** The common part of all changes of a room: idempotency key, preconditions and the ETag of the room. */
export function changeRoom(
  model: Model,
  partner: number,
  place: string,
  area: Area,
  said: RequestConditions,
  change: Change,
): Success {
  const name = said.key === undefined ? undefined : `${place} ${said.key}`
  const earlier = name === undefined ? undefined : model.keys.get(name)
  if (earlier?.ended) return refuse(409, 'cycle_ended')
  if (earlier && earlier.body !== change.body) return refuse(422, 'idempotency_key_reused')
  if (earlier) return { ...(earlier.answer as Success), replayed: true }
  const body = change.apply(area)
  const view = areaViewFor(model, partner, area)
  const answer: Success = { status: 200, body: body(view), tagged: view }
  if (name !== undefined) model.keys.set(name, { area: change.keyOf ?? area, body: change.body, answer, ended: false })
  return answer
}

/** Repeats the first response to a known idempotency key. */
export function assertPrecondition(
  model: Model,
  partner: number,
  place: string,
  area: Area,
  said: RequestConditions,
  ...alsoGood: unknown[]
): void {
  if (said.key !== undefined && model.keys.has(`${place} ${said.key}`)) return
  assertCycle(said, area)
  assertEtag(said, areaViewFor(model, partner, area), ...alsoGood)
}

export const servicesOf = ({ services }: Area) => ({ data_services: [...services] })

export function reset(model: Model, area: Area): void {
  area.services = []
  if (area.cycle !== null) area.pastCycles.push(area.cycle)
  for (const record of model.keys.values()) if (record.area === area) record.ended = true
}

export function openRoom(model: Model, partner: number, fullId: string, said: RequestConditions): Success {
  const area = areaFor(model, partner, fullId, ['rooms', 'open_close'])
  const place = `${partner} open ${fullId}`
  assertPrecondition(model, partner, place, area, said)
  return changeRoom(model, partner, place, area, said, {
    body: '',
    apply: () => {
      reset(model, area)
      const now = unknown('date')
      Object.assign(area, { cycle: unknown('uuid'), opened_at: now, date_updated: now })
      return (view) => ({ info: anyText, area: view })
    },
  })
}

export function closeRoom(model: Model, partner: number, fullId: string, said: RequestConditions): Success {
  const area = areaFor(model, partner, fullId, ['rooms', 'open_close'])
  assertPrecondition(model, partner, '', area, said)
  if (area.cycle !== null || area.services.length > 0) area.date_updated = unknown('date')
  reset(model, area)
  Object.assign(area, { cycle: null, opened_at: null })
  const view = areaViewFor(model, partner, area)
  return { status: 200, body: { info: anyText, area: view }, tagged: view }
}

export function addServices(
  model: Model,
  partner: number,
  fullId: string,
  said: RequestConditions,
  body: Body<Item[]> & { text: string },
): Success {
  const area = areaFor(model, partner, fullId, ['rooms', 'services'])
  const place = `${partner} add ${fullId}`
  assertPrecondition(model, partner, place, area, said, servicesOf(area))
  const items = valueIn(body)
  if (items.length > limits.post) refuse(400, 'limit_exceeded')
  const kept = items.map((item) => item.kept?.[area.facility.timezone] ?? refuse(400, 'item_invalid'))
  return changeRoom(model, partner, place, area, said, {
    body: body.text,
    apply: () => {
      if (area.services.length + kept.length > limits.room && kept.length > 0) refuse(400, 'limit_exceeded')
      area.services = [...area.services, ...kept.map((fields) => ({ id: unknown('uuid'), ...fields }))]
      if (kept.length > 0) area.date_updated = unknown('date')
      return ({ data_services }) => ({ info: anyText, services: { data_services } })
    },
  })
}

export function deleteService(
  model: Model,
  partner: number,
  fullId: string,
  said: RequestConditions,
  serviceId: Unknown | 'other',
): Success {
  const area = areaFor(model, partner, fullId, ['rooms', 'services'])
  assertPrecondition(model, partner, '', area, said, servicesOf(area))
  if (!area.services.some(({ id }) => id === serviceId)) return refuse(404, 'service_not_found')
  area.services = area.services.filter(({ id }) => id !== serviceId)
  area.date_updated = unknown('date')
  const body = { info: anyText, id: serviceId, remaining_services: [...area.services] }
  return { status: 200, body, tagged: areaViewFor(model, partner, area) }
}
