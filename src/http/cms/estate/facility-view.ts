import { wordPattern } from '../../../domain/facility.ts'
import { facilityIdPattern } from '../../../domain/identifier.ts'
import type { FacilityOverview } from '../../../storage/cms/facility.ts'
import type { Contents } from '../../../storage/estate/estate-area.ts'
import { Type } from '../../schema.ts'
import { addressFields, count, dateTime, deviceFields, flag, nullableText, text } from '../../schema-parts.ts'

const word = (description: string) => Type.String({ pattern: wordPattern, description })

const Address = Type.Object(addressFields, { $id: 'Address', description: 'Where the facility is.' })

const Device = Type.Object(
  {
    id: text('Identifier within the facility.'),
    type: text('Type, for example `tv`.'),
    ...deviceFields,
    area: nullableText('Short id of the area it is mounted in.'),
  },
  { $id: 'Device', description: 'A piece of equipment.' },
)

const own = {
  name: text('Displayed name.'),
  status: word('Usually `active`, `suspended` or `closed`.'),
  type: word('Usually `hotel`, `hospital`, `residence`, `campsite` or `office`.'),
  ssid_public: nullableText('Public Wi-Fi network name. A change cuts off equipment that uses it.'),
  subscription_url: nullableText('Address of the guest portal.'),
  subscribed: flag('Whether the facility subscribes.'),
  timezone: text('IANA time zone.'),
  room_services: flag('Whether the installation manages services per room.'),
  address: Type.Union([Type.Ref('Address'), Type.Null()], { description: 'Null when it is not known.' }),
}

const devices = Type.Array(Type.Ref('Device'), { description: 'The equipment.' })

export const facilityId = Type.String({ pattern: facilityIdPattern, description: 'The identifier used in paths.' })

const CmsFacility = Type.Object(
  {
    id: Type.Integer({ description: 'Number of the facility.' }),
    id_external: facilityId,
    ...own,
    devices: Type.Optional(devices),
    devices_count: count('Number of devices.'),
    areas_count: count('Number of areas.'),
    open_count: count('Number of open rooms.'),
    list_count: count('Number of entries in the autocomplete list.'),
    date_created: dateTime('When it was created.'),
    date_updated: dateTime('When one of its properties was last changed.'),
  },
  { $id: 'CmsFacility', description: 'A facility with all its properties; lists leave out its devices.' },
)

const Lost = Type.Object(
  {
    areas: count('Number of areas.'),
    open_rooms: count('Rooms that were open.'),
    subscriptions: count('Subscriptions of guests.'),
  },
  { $id: 'Lost', description: 'What is removed together with an object.' },
)

export const facilityFields = { ...own, devices }

export const facilitySchemas = { Address, Device, CmsFacility, Lost }

export const deviceExample = { id: 'tv-101', type: 'tv', model: 'X1', serial: '0001', status: 'online', area: '101' }

export const facilityExample = {
  id: 1,
  id_external: 'lyon-01',
  name: 'Hôtel Bellecour',
  status: 'active',
  type: 'hotel',
  ssid_public: 'Bellecour Guest',
  subscription_url: 'https://portal.example/lyon-01',
  subscribed: true,
  timezone: 'Europe/Paris',
  room_services: false,
  address: { street: '20 place Bellecour', postal_code: '69002', city: 'Lyon', region: null, country: 'FR' },
  devices: [deviceExample],
  devices_count: 1,
  areas_count: 40,
  open_count: 12,
  list_count: 40,
  date_created: '2026-11-15T08:30:00.000Z',
  date_updated: '2026-11-15T08:30:00.000Z',
}

export function facilityView(facility: FacilityOverview) {
  return {
    id: facility.id,
    id_external: facility.idExternal,
    name: facility.name,
    status: facility.status,
    type: facility.type,
    ssid_public: facility.ssidPublic,
    subscription_url: facility.subscriptionUrl,
    subscribed: facility.subscribed,
    timezone: facility.timezone,
    room_services: facility.roomServices,
    address: facility.address,
    devices: facility.devices,
    devices_count: facility.devices.length,
    areas_count: facility.areas,
    open_count: facility.openRooms,
    list_count: facility.listEntries,
    date_created: facility.dateCreated,
    date_updated: facility.dateUpdated,
  }
}

/** Renders a facility for a list: without its devices, of which there can be many. */
export function facilityRow(facility: FacilityOverview) {
  const { devices: _devices, ...row } = facilityView(facility)
  return row
}

export function lostView({ areas, openRooms, subscriptions }: Contents) {
  return { areas, open_rooms: openRooms, subscriptions }
}
