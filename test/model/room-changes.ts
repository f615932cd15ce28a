import { isDeepStrictEqual } from 'node:util'
import type { Area, Subscription } from './estate.ts'
import { areaFor, areaViewFor, fullIdOf, type Model, refuse, type Success } from './model.ts'
import { anyText, type Unknown, unknown } from './unknown.ts'
import type { Body, Item, Patch } from './values.ts'
import { assertPrecondition, changeRoom, limits, type RequestConditions, reset, servicesOf } from './writes.ts'

export type Sent<T> = Body<T> & { text: string }

/** The faults that a body without the `value` wrapper can have. */
export function plainValueIn<T>({ fault, value }: Body<T>): T {
  if (fault === 'no JSON') refuse(400, 'body_not_json')
  if (fault === 'no value') refuse(400, 'body_invalid')
  return value
}

/** An item of a list that replaces the services of a room: the service that it is to replace, if any. */
export interface Wanted {
  id: Unknown | string | undefined
  kept: Item['kept']
}

export function replaceServices(
  model: Model,
  partner: number,
  fullId: string,
  said: RequestConditions,
  body: Sent<Wanted[]>,
): Success {
  const area = areaFor(model, partner, fullId, ['rooms', 'services'])
  const place = `${partner} replace ${fullId}`
  assertPrecondition(model, partner, place, area, said, servicesOf(area))
  const wanted = plainValueIn(body)
  if (wanted.length > limits.room) refuse(400, 'limit_exceeded')
  const ids = wanted.flatMap(({ id }) => id ?? [])
  if (new Set(ids).size < ids.length) refuse(400, 'item_invalid')
  const items = wanted.map(({ id, kept }) => ({
    id,
    fields: kept?.[area.facility.timezone] ?? refuse(400, 'item_invalid'),
  }))
  return changeRoom(model, partner, place, area, said, {
    body: body.text,
    apply: () => {
      const present = area.services
      if (ids.some((id) => !present.some((one) => one.id === id))) refuse(404, 'service_not_found')
      const stays = present.filter(({ id }) => ids.includes(id))
      const replaced = stays.map((one) => {
        const { fields } = items.find(({ id }) => id === one.id) as (typeof items)[number]
        if (fields.code !== one.code) refuse(400, 'item_invalid')
        return unlessEqual(one, { id: one.id, ...fields })
      })
      const added = items.filter(({ id }) => id === undefined).map(({ fields }) => ({ id: unknown('uuid'), ...fields }))
      update(area, [...replaced, ...added])
      return ({ data_services }) => ({ info: anyText, services: { data_services } })
    },
  })
}

export function changeService(
  model: Model,
  partner: number,
  fullId: string,
  said: RequestConditions,
  serviceId: Unknown | 'other',
  body: Body<Patch>,
): Success {
  const area = areaFor(model, partner, fullId, ['rooms', 'services'])
  assertPrecondition(model, partner, '', area, said, servicesOf(area))
  const { kept } = plainValueIn(body)
  const service = area.services.find(({ id }) => id === serviceId) ?? refuse(404, 'service_not_found')
  const patched = patch(service, kept?.[area.facility.timezone] ?? refuse(400, 'item_invalid'))
  update(
    area,
    area.services.map((one) => (one === service ? unlessEqual(one, patched) : one)),
  )
  const services = servicesOf(area)
  return { status: 200, body: { info: anyText, id: serviceId, services }, tagged: areaViewFor(model, partner, area) }
}

/** Merges a patch into a service, whose common fields are never absent. */
function patch(service: Subscription, changes: object): Subscription {
  const merged = merge(service, changes) as Subscription
  const { id, code, label = null, status = 'active', start = null, end = null, ...own } = merged
  if (start && end && Date.parse(String(end)) <= Date.parse(String(start))) refuse(400, 'item_invalid')
  return { id, code, label, status, start, end, ...own }
}

/** A JSON Merge Patch (RFC 7396). */
function merge(target: unknown, changes: unknown): unknown {
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes)) return changes
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target)
  const merged = new Map<string, unknown>(isObject ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key)
    else merged.set(key, merge(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}

function unlessEqual(before: Subscription, after: Subscription): Subscription {
  return isDeepStrictEqual(before, after) ? before : after
}

function update(area: Area, services: Subscription[]): void {
  if (services.length === area.services.length && services.every((one, at) => one === area.services[at])) return
  area.services = services
  area.date_updated = unknown('date')
}

export function moveGuest(
  model: Model,
  partner: number,
  fullId: string,
  said: RequestConditions,
  body: Sent<string>,
): Success {
  areaFor(model, partner, fullId, ['rooms', 'open_close'])
  const area = areaFor(model, partner, fullId, ['rooms', 'services'])
  const place = `${partner} move ${fullId}`
  assertPrecondition(model, partner, place, area, said)
  const to = plainValueIn(body)
  const target = area.facility.areas.find((one) => fullIdOf(one) === to)
  return changeRoom(model, partner, place, area, said, {
    body: body.text,
    // The key of a move is valid until the guest leaves the new room.
    keyOf: target,
    apply: () => {
      if (target === undefined) return refuse(404, 'area_not_found')
      if (area.cycle === null) refuse(409, 'room_not_open')
      if (target.cycle !== null) refuse(409, 'room_occupied')
      const { cycle, opened_at, services } = area
      const date_updated = unknown('date')
      for (const one of [area, target]) reset(model, one)
      Object.assign(area, { cycle: null, opened_at: null, date_updated })
      Object.assign(target, { cycle, opened_at, services, date_updated })
      return (from) => ({ info: anyText, from: { area: from }, to: { area: areaViewFor(model, partner, target) } })
    },
  })
}
