import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

interface EstateFile {
  facilities: object[]
  partners: { id: string }[]
}

/** The demo estate with further facilities and partners. All names are invented. */
export function estateToShow() {
  const demo: EstateFile = parse(readFileSync(new URL('../../demo/estate.yaml', import.meta.url), 'utf8'))
  return { facilities: [...demo.facilities, ...houses.map(facility)], partners: [...demo.partners, ...partners] }
}

interface House {
  id: string
  name: string
  type: string
  city: string
  country: string
  floors: number
  perFloor: number
  status?: string
}

export const houses: House[] = [
  { id: 'bordeaux-02', name: 'Résidence des Quais', type: 'residence', city: 'Bordeaux', ...size(4, 14) },
  { id: 'geneve-01', name: 'Clinique des Tilleuls', type: 'hospital', city: 'Genève', ...size(3, 12), country: 'CH' },
  { id: 'grenoble-03', name: 'Hôtel du Belvédère', type: 'hotel', city: 'Grenoble', ...size(5, 10) },
  { id: 'lille-01', name: 'Hôtel de la Citadelle', type: 'hotel', city: 'Lille', ...size(6, 16) },
  { id: 'marseille-01', name: 'Campus Longchamp', type: 'office', city: 'Marseille', ...size(3, 18) },
  { id: 'nice-02', name: 'Camping La Pinède', type: 'campsite', city: 'Nice', ...size(1, 60), status: 'suspended' },
  { id: 'rennes-01', name: 'Hôpital Saint-Aubin', type: 'hospital', city: 'Rennes', ...size(4, 20) },
  { id: 'torino-01', name: 'Albergo Belmonte', type: 'hotel', city: 'Torino', ...size(4, 9), country: 'IT' },
]

function size(floors: number, perFloor: number) {
  return { floors, perFloor, country: 'FR' }
}

export function roomsOf({ floors, perFloor }: House): string[] {
  return Array.from({ length: floors * perFloor }, (_, at) => {
    return String((Math.floor(at / perFloor) + 1) * 100 + (at % perFloor) + 1)
  })
}

function facility(house: House) {
  const areas = roomsOf(house).map((id) => ({ id, name: `Room ${id}` }))
  return {
    id_external: house.id,
    name: house.name,
    type: house.type,
    status: house.status ?? 'active',
    subscribed: true,
    timezone: 'Europe/Paris',
    room_services: house.type === 'hospital',
    ssid_public: `${house.city} Guest`,
    address: { street: null, postal_code: null, city: house.city, region: null, country: house.country },
    devices: areas.slice(0, 12).map(({ id }) => {
      return { id: `tv-${id}`, type: 'tv', model: 'Lumen 43H', serial: `L43H-${id}`, status: 'online', area: id }
    }),
    areas,
    areas_autocomplete_list: areas.slice(0, house.id === 'lille-01' ? -3 : undefined),
  }
}

const contract = {
  type: 'object',
  required: ['label', 'end'],
  properties: { code: { enum: ['tv-premium', 'wifi-plus', 'phone'] }, label: { type: 'string', maxLength: 40 } },
}

const partners = [
  {
    id: 'wave-wifi',
    name: 'Wave Wi-Fi',
    contract: null,
    grants: [{ facilities: '*', read: ['ssid_public', 'devices', 'areas'], write: ['ssid_public'], rooms: [] }],
  },
  {
    id: 'north-portal',
    name: 'North Patient Portal',
    contract,
    grants: [
      { facilities: ['rennes-01', 'geneve-01'], read: '*', write: ['subscription_url'], rooms: '*' },
      { facilities: ['bordeaux-02'], read: ['areas'], write: [], rooms: [] },
    ],
  },
  {
    id: 'keyline',
    name: 'Keyline Door Systems',
    contract: null,
    grants: [{ facilities: ['lille-01', 'grenoble-03'], read: ['areas'], write: [], rooms: ['open_close'] }],
  },
]
