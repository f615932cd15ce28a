import type { EstateFacility } from '../domain/estate.ts'
import { isObject } from '../domain/json.ts'
import { type CheckLimits, facilityCheck } from '../estate/check-facility.ts'
import type { Notes } from './notes.ts'
import { grantedFields, type SeenFacility } from './seen-facility.ts'

type Members = Record<string, unknown>
type Item = Members & { id: unknown }

/** A facility in the form of the estate file, not validated yet. */
interface Draft extends Members {
  devices?: Item[]
  areas?: Item[]
  areas_autocomplete_list?: Item[]
}

const addressKeys = ['street', 'postal_code', 'city', 'region', 'country']
const deviceKeys = ['id', 'type', 'model', 'serial', 'status']
const copied = ['id', 'id_external', 'name', 'status', 'type', 'ssid_public', 'subscription_url', 'subscribed'] as const
/** Fields of the partner API that an estate file does not have, because Atrium computes them. */
const computed = new Set(['date_created', 'date_updated', 'areas_count', 'areas_autocomplete_list_count'])
const areaKeys = new Set(['id_external', 'name', 'data_general', 'data_services', 'opened_at', 'cycle'])

/**
 * Leaves out what Atrium cannot store, and adds a note about it. Changes no value, except that a missing name becomes
 * the id. Returns undefined if the facility itself cannot be stored.
 */
export function convertFacility(seen: SeenFacility, limits: CheckLimits, notes: Notes): EstateFacility | undefined {
  const draft = draftOf(seen, notes)
  noteHidden(seen, notes)
  const check = facilityCheck(limits)
  for (;;) {
    const faults: { path: readonly (string | number)[]; message: string }[] = []
    const facility = check(draft, [], (path, message) => faults.push({ path, message }))
    if (faults.length === 0) return storable(facility, notes)
    if (faults.some(({ path }) => path[0] === 'id_external')) {
      notes.add('facilities with ids that Atrium cannot store', JSON.stringify(seen.id))
      return undefined
    }
    const dropped = new Set<Item>()
    for (const { path, message } of faults) dropFaulty(draft, path, message, dropped, seen.id, notes)
    for (const list of ['areas', 'devices', 'areas_autocomplete_list'] as const) {
      if (draft[list] !== undefined) draft[list] = draft[list].filter((item) => !dropped.has(item))
    }
  }
}

function draftOf({ id, fields, areas, entries }: SeenFacility, notes: Notes): Draft {
  const draft: Draft = {}
  for (const key of copied) if (key in fields) draft[key] = fields[key]
  draft.id_external = id
  if (!('name' in fields)) {
    draft.name = id
    notes.add('facilities without a name; their id is their name', id)
  }
  if ('address' in fields) draft.address = addressOf(fields.address, id, notes)
  if (areas?.some(hasServices)) draft.room_services = true
  if ('devices' in fields) draft.devices = devicesOf(id, fields.devices, notes)
  const names = new Map((entries ?? []).map((entry) => [entry.id_external, entry.name]))
  if (areas)
    draft.areas = inOwn(id, areas, 'areas', notes).map(([short, area]) => areaOf(id, short, area, names, notes))
  if (entries) {
    const own = inOwn(id, entries, 'entries of autocomplete lists', notes)
    draft.areas_autocomplete_list = own.map(([short, { name }]) => ({ id: short, name }))
  }
  const known = new Set<string>([...copied, ...grantedFields, ...computed])
  for (const name of Object.keys(fields)) {
    if (!known.has(name)) notes.add(`the field ${JSON.stringify(name)} of facilities, which Atrium does not have`, id)
  }
  return draft
}

/** Leaves out what is valid alone but not in this facility, such as a device's room that does not exist. */
function storable({ address, ...facility }: EstateFacility, notes: Notes): EstateFacility {
  const { idExternal, areas = [], devices } = facility
  const rooms = new Set(areas.map(({ id }) => id))
  const placed = devices?.map((device) => {
    if (device.area === null || rooms.has(device.area)) return device
    notes.add('the room of devices whose room is not among the areas', `${idExternal} ${device.id}`)
    return { ...device, area: null }
  })
  const isComplete = !address || address.country !== undefined
  if (!isComplete) notes.add('addresses without a country', idExternal)
  return { ...facility, ...(placed && { devices: placed }), ...(address !== undefined && isComplete && { address }) }
}

function hasServices({ data_services: services }: Members): boolean {
  return Array.isArray(services) && services.length > 0
}

function addressOf(address: unknown, facility: string, notes: Notes): unknown {
  if (!isObject(address)) return address
  for (const key of Object.keys(address).filter((one) => !addressKeys.includes(one))) {
    notes.add(`the member ${JSON.stringify(key)} of addresses, which Atrium does not have`, facility)
  }
  return pick(address as Members, addressKeys)
}

function devicesOf(facility: string, devices: unknown, notes: Notes): Item[] {
  const usable = Array.isArray(devices) ? devices.filter(isObject) : []
  if (!Array.isArray(devices) || usable.length < devices.length) notes.add('devices that are not objects', facility)
  return (usable as Members[]).map((device) => {
    const { area_id_external: area } = device
    const short = typeof area === 'string' ? shortId(facility, area) : undefined
    return { ...pick(device, deviceKeys), id: device.id, ...(short !== undefined && { area: short }) }
  })
}

function areaOf(facility: string, short: string, area: Members, names: Map<unknown, unknown>, notes: Notes): Item {
  for (const key of Object.keys(area).filter((one) => !areaKeys.has(one) && !computed.has(one))) {
    notes.add(`the field ${JSON.stringify(key)} of areas, which Atrium does not have`, `${facility}-${short}`)
  }
  const name = area.name ?? names.get(area.id_external)
  if (name === undefined) notes.add('areas without a name; their short id is their name', `${facility}-${short}`)
  return { id: short, name: name ?? short, data_general: area.data_general ?? [] }
}

/** Returns items with their short ids. Leaves out items whose full id does not begin with that of the facility. */
function inOwn(facility: string, items: Members[], what: string, notes: Notes): [short: string, item: Members][] {
  return items.flatMap((item): [string, Members][] => {
    const short = shortId(facility, item.id_external)
    if (short === undefined) notes.add(`${what} whose id_external does not begin with that of the facility`, facility)
    return short === undefined ? [] : [[short, item]]
  })
}

export function shortId(facility: string, full: unknown): string | undefined {
  const isFull = typeof full === 'string' && full.startsWith(`${facility}-`)
  return isFull ? full.slice(facility.length + 1) : undefined
}

/** Removes the smallest part with the fault: one property, or else a whole list item or field of the facility. */
function dropFaulty(
  draft: Draft,
  path: readonly (string | number)[],
  message: string,
  dropped: Set<Item>,
  facility: string,
  notes: Notes,
): void {
  const [key, at, member] = path as [string, string | number | undefined, string | undefined]
  const place = typeof at === 'number' ? `${facility} ${key}[${at}]` : facility
  const item = typeof at === 'number' ? (draft[key] as Item[])[at] : undefined
  if (item !== undefined) {
    const isOptional = member !== undefined && member !== 'id' && !(member === 'name' && key !== 'areas')
    notes.add(`${isOptional ? `"${member}" of ` : ''}${key}: it ${message}`, place)
    if (key === 'areas' && member === 'name' && item.name !== item.id) item.name = item.id
    else if (isOptional && member !== 'name' && member !== 'type') delete item[member]
    else dropped.add(item)
    return
  }
  notes.add(`"${path.join('.')}" of facilities: it ${message}`, facility)
  if (key === 'name' || path.length === 0) draft.name = facility
  else if (key === 'address' && typeof at === 'string') delete (draft.address as Members)[at]
  else delete draft[key]
}

function noteHidden({ id, fields, areas, entries, unsteady }: SeenFacility, notes: Notes): void {
  for (const name of grantedFields) {
    if (!(name in fields)) notes.add(`hidden from every token: the field ${name} of facilities`, id)
  }
  if (areas === undefined) notes.add('hidden from every token: the areas of facilities', id)
  if (entries === undefined) notes.add('hidden from every token: the autocomplete lists of facilities', id)
  for (const name of unsteady) notes.add(`changed while it was read: the field ${name} of facilities`, id)
}

function pick(object: Members, keys: string[]): Members {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]))
}
