import type { Access, ReadField } from './access/grant.ts'
import { fullId } from './identifier.ts'
import { Refusal, refusalAt } from './refusal.ts'
import { hasControlCharacter, isLonger } from './text.ts'

export interface Address {
  street: string | null
  postal_code: string | null
  city: string | null
  region: string | null
  country: string
}

/** `area` is the short id of the room in which the device is mounted. */
export interface Device {
  id: string
  type: string
  model: string | null
  serial: string | null
  status: string | null
  area: string | null
}

export interface Facility {
  id: number
  idExternal: string
  name: string
  status: string
  type: string
  ssidPublic: string | null
  subscriptionUrl: string | null
  subscribed: boolean
  timezone: string
  roomServices: boolean
  address: Address | null
  devices: Device[]
  dateCreated: string
  dateUpdated: string
}

export interface FacilityCounts {
  areas: number
  listEntries: number
}

/** Maps the names in `/v1` of the properties that partners can change to the fields in code. */
export const facilityProperties = {
  name: 'name',
  ssid_public: 'ssidPublic',
  subscription_url: 'subscriptionUrl',
} as const
export type FacilityProperty = keyof typeof facilityProperties

export const wordPattern = '^[a-z][a-z0-9_]{0,31}$'

export function facilitySummary(facility: Pick<Facility, 'id' | 'idExternal' | 'name' | 'status'>) {
  return { id: facility.id, id_external: facility.idExternal, name: facility.name, status: facility.status }
}

/** Returns the fields of a facility that a partner may read. No other code applies the `read` grants to a facility. */
export function facilityView(facility: Facility, counts: FacilityCounts, access: Access) {
  const granted = <T extends object>(field: ReadField, part: T): Partial<T> => (access.read.has(field) ? part : {})
  return {
    ...facilitySummary(facility),
    ...granted('date_created', { date_created: facility.dateCreated }),
    ...granted('date_updated', { date_updated: facility.dateUpdated }),
    ...granted('ssid_public', { ssid_public: facility.ssidPublic }),
    ...granted('address', { address: facility.address }),
    ...granted('subscription_url', { subscription_url: facility.subscriptionUrl }),
    ...granted('type', { type: facility.type }),
    ...granted('subscribed', { subscribed: facility.subscribed }),
    ...granted('devices', { devices: facility.devices.map((device) => deviceView(facility.idExternal, device)) }),
    ...granted('areas', { areas_count: counts.areas }),
    ...granted('areas_autocomplete_list', { areas_autocomplete_list_count: counts.listEntries }),
  }
}

export function deviceView(facility: string, { area, ...device }: Device) {
  return { ...device, area_id_external: area === null ? null : fullId(facility, area) }
}

const httpUrl = /^https?:\/\/([^\s\\/?#]+)(?:[/?#][^\s\\]*)?$/i

const propertyParsers: Record<FacilityProperty, (value: string) => string | Refusal> = {
  name: (value) => {
    const name = value.trim()
    if (name === '' || isLonger(name, 255)) return invalid('The name must be 1 to 255 characters.')
    return hasControlCharacter(name) ? invalid('The name must not contain control characters.') : name
  },
  ssid_public: (value) => {
    const bytes = Buffer.byteLength(value)
    if (bytes < 1 || bytes > 32) return invalid(`The SSID must be 1 to 32 bytes in UTF-8; this one has ${bytes}.`)
    return hasControlCharacter(value) ? invalid('The SSID must not contain control characters.') : value
  },
  subscription_url: (value) => {
    if (value.length > 2048) return invalid('The URL must have at most 2,048 characters.')
    const authority = httpUrl.exec(value)?.[1]
    if (authority?.includes('@')) return invalid('The URL must not contain a user name or a password.')
    const usable = authority !== undefined && !hasControlCharacter(value) && URL.canParse(value)
    return usable ? value : invalid('The URL must be valid, absolute, and begin with http:// or https://.')
  },
}

function invalid(detail: string): Refusal {
  return refusalAt('value_invalid', '/value', detail)
}

export function parseFacilityProperty(property: FacilityProperty, value: unknown): string {
  const parsed = typeof value === 'string' ? propertyParsers[property](value) : invalid('"value" must be a string.')
  if (parsed instanceof Refusal) throw parsed
  return parsed
}
