import { type Entry, entryNameFault } from '../domain/autocomplete-list.ts'
import type { EstateArea, EstateFacility } from '../domain/estate.ts'
import { type Device, type FacilityProperty, parseFacilityProperty, wordPattern } from '../domain/facility.ts'
import { isFacilityId, isSandboxId, sandboxPrefix, shortIdFault } from '../domain/identifier.ts'
import { Refusal } from '../domain/refusal.ts'
import { copyText, isLonger } from '../domain/text.ts'
import { isTimezone } from '../domain/time.ts'
import {
  booleanValue,
  type Check,
  jsonData,
  listById,
  listOf,
  nullable,
  objectOf,
  type Shape,
  text,
  textFault,
} from './check.ts'

export interface CheckLimits {
  listEntries: number
  jsonDepth: number
}

export function facilityCheck(limits: CheckLimits): Check<EstateFacility> {
  const keys = {
    id: { as: 'id', check: facilityNumber },
    id_external: { as: 'idExternal', check: externalId },
    name: { as: 'name', check: property('name') },
    status: { as: 'status', check: word },
    type: { as: 'type', check: word },
    ssid_public: { as: 'ssidPublic', check: nullable(property('ssid_public')) },
    subscription_url: { as: 'subscriptionUrl', check: nullable(property('subscription_url')) },
    subscribed: { as: 'subscribed', check: booleanValue },
    timezone: { as: 'timezone', check: timezone },
    room_services: { as: 'roomServices', check: booleanValue },
    address: { as: 'address', check: nullable(objectOf(address)) },
    devices: { as: 'devices', check: listById(deviceCheck) },
    areas: { as: 'areas', check: areasCheck(limits) },
    areas_autocomplete_list: { as: 'entries', check: entriesCheck(limits) },
  }
  return objectOf({ keys, required: ['id_external'] })
}

/**
 * The maximum number of a facility in an estate file. Atrium continues from the highest number for new facilities, so
 * it is lower than the largest safe integer.
 */
const maxFacilityNumber = 2 ** 52

const facilityNumber: Check<number> = (value, path, report) => {
  const whole = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxFacilityNumber
  if (!whole) report(path, `must be a whole number from 1 to ${maxFacilityNumber}`)
  return value as number
}

const idForm = '1 to 64 of A-Z a-z 0-9 . _ -, the first and last a letter or digit'

export const externalId = text((id) => {
  if (!isFacilityId(id)) return `must be ${idForm}`
  return isSandboxId(id) ? `must not begin with "${sandboxPrefix}", which sandboxes do` : undefined
})
const shortId = text(shortIdFault)
const entryName = text(entryNameFault)

const wordRegExp = new RegExp(wordPattern)
const word = text((value) =>
  wordRegExp.test(value) ? undefined : 'must be a lower-case word: a letter, then up to 31 letters, digits or _',
)

const knownTimezones = new Set<string>()

// Checks a time zone. Valid names are cached: validating one takes as long as parsing a facility, and few differ.
const timezone = text((name) => {
  if (!knownTimezones.has(name) && !isTimezone(name)) return 'must be an IANA time zone such as Europe/Paris'
  knownTimezones.add(copyText(name))
  return undefined
})

/** Returns the check of a facility's property, with the same rules and messages as when a partner changes it. */
export function property(name: FacilityProperty): Check<string> {
  const base = text()
  return (value, path, report) => {
    if (typeof value !== 'string' || textFault(value) !== undefined) return base(value, path, report)
    try {
      return parseFacilityProperty(name, value)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      report(path, error.message)
      return value
    }
  }
}

const maxLabelLength = 255

const label = text((value) =>
  isLonger(value, maxLabelLength) ? `must have at most ${maxLabelLength} characters` : undefined,
)
const deviceName = text(entryNameFault)
/** Clients resolve `.` and `..` in paths: a request to delete the device `..` would delete its facility. */
const deviceId = text((id) => (['.', '..'].includes(id) ? 'must not be "." or ".."' : entryNameFault(id)))

const country = text((code) =>
  /^[A-Z]{2}$/.test(code) ? undefined : 'must be the two capital letters of ISO 3166-1, such as FR',
)

const address: Shape = {
  keys: {
    street: { as: 'street', check: nullable(label) },
    postal_code: { as: 'postal_code', check: nullable(label) },
    city: { as: 'city', check: nullable(label) },
    region: { as: 'region', check: nullable(label) },
    country: { as: 'country', check: country },
  },
  required: [],
}

const device = objectOf<Pick<Device, 'id' | 'type'> & Partial<Device>>({
  keys: {
    id: { as: 'id', check: deviceId },
    type: { as: 'type', check: deviceName },
    model: { as: 'model', check: nullable(label) },
    serial: { as: 'serial', check: nullable(label) },
    status: { as: 'status', check: nullable(label) },
    area: { as: 'area', check: nullable(shortId) },
  },
  required: ['id', 'type'],
})

export const deviceCheck: Check<Device> = (value, path, report) => {
  const { id, type, model = null, serial = null, status = null, area = null } = device(value, path, report)
  return { id, type, model, serial, status, area }
}

const entry = objectOf<Entry>({
  keys: { id: { as: 'id', check: shortId }, name: { as: 'name', check: entryName } },
  required: ['id', 'name'],
})

const entryCheck: Check<Entry> = (value, path, report) => {
  const { id, name } = entry(value, path, report)
  return { id, name }
}

export function areasCheck(limits: CheckLimits): Check<EstateArea[]> {
  return listById(areaCheck(limits))
}

export function entriesCheck({ listEntries }: CheckLimits): Check<Entry[]> {
  return listById(entryCheck, listEntries)
}

function areaCheck(limits: CheckLimits): Check<EstateArea> {
  const anything = jsonData(limits.jsonDepth)
  const note: Check<object> = (value, path, report) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) report(path, 'must be a map')
    return anything(value, path, report) as object
  }
  return objectOf({
    keys: {
      id: { as: 'id', check: shortId },
      name: { as: 'name', check: entryName },
      data_general: { as: 'dataGeneral', check: listOf(note) },
    },
    required: ['id'],
  })
}
