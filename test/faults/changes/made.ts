import type { Random } from '../../torture/random.ts'
import type { Json, World } from './world.ts'

// Each function creates new objects for one change, so that no change depends on an earlier one.

let made = 0
export const newName = (random: Random) => `${++made} ${random.pick(words)}`
export const newId = () => `made-${++made}`

const words = [
  'Étoile',
  '🛏 bed',
  'a "quoted" name',
  'back\\slash',
  '<b>&amp;</b>',
  '部屋',
  '7',
  'null',
  "l'été",
  // The shortest limit of a name is 100 characters.
  'x'.repeat(60),
]

/** Now and then a value so long that the log stores it outside of the entry. */
export function dataGeneral(random: Random): object[] {
  const length = random.chance(0.3) ? 400 : 2
  return Array.from({ length }, (_, n) => ({
    note: `${newName(random)} ${n}`,
    n: random.below(1e9),
    '7': random.chance(0.5),
  }))
}

export function devices(random: Random): object[] {
  return Array.from({ length: 1 + random.below(random.chance(0.3) ? 300 : 3) }, (_, n) => ({
    ...{ id: `d-${n}`, type: random.pick(['tv', 'gateway']), model: newName(random), serial: `${random.below(1e9)}` },
    ...{ status: random.pick(['online', null]), area: random.pick(['1', null]) },
  }))
}

export function address(random: Random): object {
  return {
    street: newName(random),
    postal_code: `${random.below(1e5)}`,
    city: newName(random),
    region: null,
    country: 'FR',
  }
}

/** Fields that differ from those of a new facility. */
export function fields(random: Random): object {
  const all: Record<string, unknown> = {
    name: newName(random),
    status: 'closed',
    type: 'campsite',
    ssid_public: `ssid ${++made}`,
    subscription_url: `https://portal.example/${++made}`,
    subscribed: true,
    timezone: 'Asia/Tokyo',
    room_services: true,
    address: random.chance(0.3) ? null : address(random),
    devices: random.chance(0.2) ? [] : devices(random),
  }
  const chosen = Object.entries(all).filter(() => random.chance(0.5))
  return chosen.length > 0 ? Object.fromEntries(chosen) : { name: all.name }
}

/** Derives another list: shorter, longer, renamed, reversed, or changed in many places. */
export function list(random: Random, from = entries(random, 3)): { id: string; name: string }[] {
  const kinds = [
    () => from.toReversed(),
    () => from.slice(1),
    () => [...from, ...entries(random, 2)],
    () => from.map(({ id }) => ({ id, name: newName(random) })),
    () => [from[0] as (typeof from)[number], ...entries(random, 1), ...from.slice(1)],
    () => entries(random, 300),
    () => [],
  ]
  return random.pick(kinds)()
}

export function entries(random: Random, count: number): { id: string; name: string }[] {
  return Array.from({ length: count }, () => ({ id: `e-${++made}`, name: newName(random) }))
}

export function grants(random: Random, facilities: string[]): object[] {
  const some = (names: string[]) => (random.chance(0.2) ? '*' : names.filter(() => random.chance(0.5)))
  return facilities.map((facility) => ({
    facilities: [facility],
    read: some(['address', 'areas', 'devices', 'ssid_public', 'areas_autocomplete_list']),
    write: some(['name', 'ssid_public']),
    rooms: some(['open_close', 'services']),
  }))
}

export function contract(random: Random): object {
  const names = Array.from({ length: random.chance(0.3) ? 300 : 2 }, () => [
    `field ${++made}`,
    { maxLength: random.below(1e6) },
  ])
  return { type: 'object', properties: Object.fromEntries(names) }
}

/** Creates a facility with the areas `1` and `2`, closed. */
export async function newFacility({ done }: World, random: Random, more: object = {}): Promise<string> {
  const id_external = newId()
  const areas = [
    { id: '1', name: 'One', data_general: [{ floor: 1 }] },
    { id: '2', name: newName(random) },
  ]
  const whole = {
    id_external,
    name: newName(random),
    address: address(random),
    devices: devices(random),
    room_services: true,
  }
  await done('POST /cms/v1/facilities', { ...whole, areas, areas_autocomplete_list: entries(random, 3), ...more })
  return id_external
}

/** Creates a partner with the rights of `grants` and nothing else. */
export async function newPartner({ done }: World, random: Random, more: object = {}): Promise<string> {
  const draft = { id: newId(), name: newName(random), grants: grants(random, ['f', 'g']), contract: contract(random) }
  return (await done('POST /cms/v1/partners', { ...draft, ...more })).id
}

/** Creates a partner with all rights on a facility of its own, and a token. */
export async function partnerWithToken(
  world: World,
  random: Random,
): Promise<{ facility: string; partner: string; token: string }> {
  const facility = await newFacility(world, random)
  const grants = [{ facilities: [facility], read: '*', write: '*', rooms: '*' }]
  const partner = await newPartner(world, random, { grants, webhooks: true, contract: null })
  return { facility, partner, token: (await newToken(world, partner)).secret }
}

export async function newToken({ done }: World, partner: string): Promise<{ id: string; secret: string }> {
  const { token, secret } = await done(`POST /cms/v1/partners/${partner}/tokens`, { name: newId() })
  return { id: token.id, secret }
}

export async function newWebhook({ done, receiver }: World, partner: string): Promise<Json> {
  const body = { url: `${receiver.url}/${newId()}`, types: '*', own: true }
  return (await done(`POST /cms/v1/partners/${partner}/webhooks`, body)).webhook
}

export async function newOperator({ done }: World): Promise<string> {
  return (await done('POST /cms/v1/operators', { email: `${newId()}@example.com`, name: newId(), role: 'editor' })).id
}

/** Signs an operator in with several browsers, and returns their cookies. */
export async function newCookie(world: World, operator: string): Promise<string> {
  const { path } = await world.done(`POST /cms/v1/operators/${operator}/link`)
  const { headers } = await world.ask('POST /cms/v1/sign-in/link', {
    body: { secret: path.split('=')[1] },
    as: '',
    headers: { origin: world.url, 'sec-fetch-site': 'same-origin' },
  })
  return headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
