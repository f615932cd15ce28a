import type { Random } from '../../torture/random.ts'
import { canary, type Facility, has, type Partner, randomGrants, sees, type World } from './world.ts'

/** Returns changes, in the form of the estate file, that must be invisible to this partner. */
export function hiddenChanges(world: World, partner: Partner, random: Random): object {
  const others = world.partners.filter(({ id }) => id !== partner.id)
  const ids = world.facilities.map(({ id_external }) => id_external)
  const isEverywhere = partner.grants.some(({ facilities }) => facilities === '*')
  const stranger = { id: `stranger-${random.below(2 ** 32)}`, name: 'Stranger', grants: randomGrants(random, ids) }
  return {
    facilities: [
      ...world.facilities.map((facility) => changed(facility, partner, random)),
      ...(isEverywhere ? [] : [another(random)]),
    ],
    partners: [...others.map(({ id }) => ({ id, grants: randomGrants(random, ids) })), stranger],
  }
}

function another(random: Random) {
  const id = `new-${random.below(2 ** 32)}`
  return { id_external: id, name: 'New', status: 'active', type: 'hotel', areas: [{ id: '1', name: 'One' }] }
}

function changed(facility: Facility, partner: Partner, random: Random): object {
  const { id_external, areas } = facility
  if (!sees(partner, id_external)) return otherwise(facility, random)
  const reads = (name: string) => has(partner, id_external, 'read', name)
  // A change of the facility's own fields moves this date, which then says so rightly.
  const hidden = reads('date_updated') ? [] : ownFields.filter(([name]) => !reads(name))
  return {
    id_external,
    ...Object.fromEntries(hidden.map(([name, make]) => [name, make(random)])),
    ...(!reads('areas') && { areas: [...areas, { id: `more-${random.below(1000)}`, name: 'More' }] }),
    ...(!reads('areas_autocomplete_list') && { areas_autocomplete_list: [{ id: '1', name: 'Otherwise' }] }),
  }
}

const word = (random: Random) => `other-${random.below(2 ** 32)}`

const ownFields: [string, (random: Random) => unknown][] = [
  ['ssid_public', word],
  ['subscription_url', (random) => `https://${word(random)}.example`],
  ['address', (random) => ({ street: word(random), postal_code: null, city: null, region: null, country: 'DE' })],
  ['type', (random) => random.pick(['hotel', 'office'])],
  ['subscribed', (random) => random.chance(0.5)],
  ['devices', (random) => [{ id: word(random), type: 'tv', model: null, serial: null, status: null, area: null }]],
]

/** All of it, as long as it is the same facility. */
function otherwise({ id_external, id, areas, room_services }: Facility, random: Random): object {
  return {
    id_external,
    name: `${canary(id - 7000, 'name')} ${word(random)}`,
    status: random.pick(['active', 'closed']),
    room_services: !room_services,
    areas: [...areas, { id: '9', name: 'Nine' }].map((area) => ({ ...area, data_general: [{ note: word(random) }] })),
    areas_autocomplete_list: [],
    ...Object.fromEntries(ownFields.map(([name, make]) => [name, make(random)])),
  }
}
