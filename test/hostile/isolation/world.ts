import { type Kind, names } from '../../harness/grant-names.ts'
import type { Random } from '../../torture/random.ts'

export interface Room {
  id: string
  name: string
  data_general: object[]
}

/** A facility in the form of the estate file, updated with every write that returned 200. */
export interface Facility {
  id: number
  id_external: string
  name: string
  status: string
  type: string
  ssid_public: string | null
  subscription_url: string | null
  subscribed: boolean
  room_services: boolean
  address: object
  devices: { id: string; type: string; model: null; serial: string; status: string; area: string | null }[]
  areas: Room[]
  areas_autocomplete_list: { id: string; name: string }[]
}

export interface Grant extends Record<Kind, string[] | '*'> {
  facilities: string[] | '*'
}

export interface Partner {
  id: string
  name: string
  grants: Grant[]
}

/** The state of each room, by full id. */
export interface Stay {
  isOpen: boolean
  services: { id: string; code: string }[]
}

export interface World {
  facilities: Facility[]
  partners: Partner[]
  stays: Map<string, Stay>
  /** Counts writes, to make every new value unique. */
  changes: number
}

/** Returns a canary for one field of one facility. */
export function canary(index: number, field: string): string {
  return `zz${index}_${field}`
}

export const canaries = /zz\d+_[a-z]+/g

export const absent = canary(99, 'id')

const statuses = ['active', 'suspended', 'closed']

function randomFacility(random: Random, index: number): Facility {
  const mark = (field: string) => canary(index, field)
  const rooms = Array.from({ length: 1 + random.below(5) }, (_, at) => String(at + 1))
  const entries = rooms.slice(0, random.below(rooms.length + 1))
  return {
    id: 7000 + index,
    id_external: mark('id'),
    name: mark('name'),
    status: random.pick(statuses),
    type: mark('type'),
    ssid_public: mark('ssid'),
    subscription_url: `https://portal.example/${mark('url')}`,
    subscribed: random.chance(0.5),
    room_services: random.chance(0.6),
    address: { street: mark('address'), postal_code: null, city: null, region: null, country: 'FR' },
    devices: [{ id: 'tv', type: 'tv', model: null, serial: mark('device'), status: 'online', area: '1' }],
    areas: rooms.map((id) => ({ id, name: `${mark('area')} ${id}`, data_general: [{ note: mark('area') }] })),
    areas_autocomplete_list: entries.map((id) => ({ id, name: mark('entry') })),
  }
}

function randomNames(random: Random, kind: Kind): string[] | '*' {
  const all = names[kind]
  const one = random.pick(all)
  switch (random.below(5)) {
    case 0:
      return '*'
    case 1:
      return []
    case 2:
      return [one]
    case 3:
      return all.filter((name) => name !== one)
    default:
      return all.filter(() => random.chance(0.5))
  }
}

export function randomGrants(random: Random, facilities: string[]): Grant[] {
  return Array.from({ length: random.pick([0, 1, 1, 1, 2, 2, 3]) }, () => ({
    facilities: random.chance(0.15) ? '*' : facilities.filter(() => random.chance(0.4)),
    read: randomNames(random, 'read'),
    write: randomNames(random, 'write'),
    rooms: randomNames(random, 'rooms'),
  }))
}

export function randomWorld(random: Random): World {
  const facilities = Array.from({ length: 7 }, (_, index) => randomFacility(random, index))
  const ids = facilities.map(({ id_external }) => id_external)
  const partners = Array.from({ length: 12 }, (_, index) => ({
    id: `partner-${index}`,
    name: `Partner ${index}`,
    grants: randomGrants(random, ids),
  }))
  return { facilities, partners, stays: new Map(), changes: 0 }
}

export function fullId(facility: Facility, room: Room): string {
  return `${facility.id_external}-${room.id}`
}

export function stayIn({ stays }: World, full: string): Stay {
  const known = stays.get(full)
  if (known !== undefined) return known
  const stay = { isOpen: false, services: [] }
  stays.set(full, stay)
  return stay
}

function covering({ grants }: Partner, facility: string): Partner['grants'] {
  return grants.filter(({ facilities }) => facilities === '*' || facilities.includes(facility))
}

export function has(partner: Partner, facility: string, kind: Kind, name: string): boolean {
  return covering(partner, facility).some((grant) => grant[kind] === '*' || grant[kind].includes(name))
}

export function sees(partner: Partner, facility: string): boolean {
  return covering(partner, facility).length > 0
}
