import { type Kind, names } from '../../harness/grant-names.ts'

export const kinds = Object.keys(names) as Kind[]

export interface Rights {
  read: string[] | '*'
  write: string[] | '*'
  rooms: string[] | '*'
}

export interface Partner {
  id: string
  name: string
  webhooks?: true
  grants: (Rights & { facilities: string[] | '*' })[]
}

/** Returns a canary for one field of one facility. `type` must be a word. */
export function canary(facility: string, field: string): string {
  return field === 'type' ? `canary_of_${facility}` : `canary-${field}-of-${facility}`
}

/** `absent` is the one that does not exist. Every field that a grant can hide holds a canary. */
export const facilities = [facility(1, 'clinic', true), facility(2, 'hotel', false), facility(3, 'hidden', true)]

function facility(id: number, id_external: string, room_services: boolean) {
  const mark = (field: string) => canary(id_external, field)
  return {
    id,
    id_external,
    name: id_external,
    status: 'active',
    type: mark('type'),
    ssid_public: mark('ssid_public'),
    subscription_url: `https://${mark('subscription_url')}.example`,
    subscribed: true,
    room_services,
    address: { street: mark('address'), postal_code: null, city: null, region: null, country: 'FR' },
    devices: [{ id: 'd', type: 'tv', model: null, serial: mark('devices'), status: null, area: '1' }],
    areas: ['1', '2'].map((id) => ({ id, name: mark('areas'), data_general: [{ note: mark('areas') }] })),
    areas_autocomplete_list: [{ id: '1', name: mark('areas_autocomplete_list') }],
  }
}

const every = (): Rights => structuredClone(names)
const none = (): Rights => ({ read: [], write: [], rooms: [] })

/** No names, each name alone, all but each, all by name, and `*`. */
const rightsSets: [string, Rights][] = [
  ['none', none()],
  ...kinds.flatMap((kind) =>
    names[kind].flatMap((name): [string, Rights][] => [
      [`only-${kind}-${name}`, { ...none(), [kind]: [name] }],
      [`without-${kind}-${name}`, { ...every(), [kind]: names[kind].filter((other) => other !== name) }],
    ]),
  ),
  ['all', every()],
  ['star', { read: '*', write: '*', rooms: '*' }],
  ['star-read', { ...none(), read: '*' }],
  ['star-write', { ...none(), write: '*' }],
  ['star-rooms', { ...none(), rooms: '*' }],
]

const seen = ['clinic', 'hotel']

/** Grants that cover one facility add up, and do not reach another. */
const added: Partner[] = [
  partner('adds-up', [
    { facilities: seen, ...none(), read: ['areas'] },
    { facilities: ['clinic'], ...none(), rooms: ['services'] },
    { facilities: ['hotel'], ...none(), write: ['name'] },
  ]),
  partner('star-and-more', [
    { facilities: '*', ...none(), read: ['type'] },
    { facilities: ['clinic'], ...none(), read: ['areas'], write: ['ssid_public'], rooms: ['open_close'] },
  ]),
  partner('same-twice', [
    { facilities: seen, ...none(), read: ['areas', 'type'] },
    { facilities: seen, ...none(), read: ['type', 'devices'], rooms: '*' },
  ]),
]

function partner(id: string, grants: Partner['grants']): Partner {
  return { id, name: id, grants }
}

export const root = partner('root', [{ facilities: '*', read: '*', write: '*', rooms: '*' }])

export const partners: Partner[] = [
  partner('nobody', []),
  ...rightsSets.flatMap(([id, rights]) => [
    partner(id, [{ facilities: seen, ...rights }]),
    partner(`${id}-everywhere`, [{ facilities: '*', ...rights }]),
  ]),
  ...added,
  { ...partner('keeps-webhooks', []), webhooks: true },
]
