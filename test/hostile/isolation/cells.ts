import { matrix } from '../../partner/matrix/oracle.ts'
import type { Random } from '../../torture/random.ts'
import type { Cell, Query } from './oracle.ts'
import { absent, canary, type Facility, fullId, type Partner, stayIn, type World } from './world.ts'

/** The request log names what was sent in earlier requests; `test/partner/requests.test.ts` checks it. */
const routes = Object.keys(matrix).filter((route) => route !== 'GET /v1/requests')
/** Ids of no facility. Some have a meaning in SQL, URLs or JavaScript. */
const strangeIds = [
  absent,
  absent,
  absent,
  '*',
  '__proto__',
  'constructor',
  'ZZ0_ID',
  'zz0_id-',
  'zz0_id.',
  "zz0_id'--",
  '%',
]
const unknownParameters = [
  'sort=ssid_public',
  'fields=*',
  'filter[ssid_public]=zz0',
  'partner=partner-0',
  'facilities=zz0_id',
]

type MakeBody = (world: World, mark: (field: string) => string, random: Random, areaId: string) => unknown

const bodies: Record<string, MakeBody> = {
  'PATCH /v1/facilities/{facilityExternalId}/areas_autocomplete_list': (_, mark, random) =>
    Array.from({ length: random.below(4) }, (_, at) => ({ id_external: String(at + 1), name: mark('entry') })),
  'PATCH /v1/facilities/{facilityExternalId}/name': ({ changes }, mark) => `${mark('name')} ${changes}`,
  'PATCH /v1/facilities/{facilityExternalId}/ssid_public': ({ changes }, mark) => `${mark('ssid')} ${changes}`,
  'PATCH /v1/facilities/{facilityExternalId}/subscription_url': ({ changes }, mark) =>
    `https://portal.example/${mark('url')}/${changes}`,
  'POST /v1/areas/{areaExternalId}/data_services': (_, mark) => JSON.stringify([{ code: mark('service') }]),
  'POST /v1/facilities/{facilityExternalId}/areas/bulk': (_, _mark, random, area) => ({
    mode: random.pick(['each', 'all']),
    operations: [{ op: 'close', area }],
  }),
  'PUT /v1/areas/{areaExternalId}/data_services': (world, mark, random, areaId) => {
    const kept = stayIn(world, random.chance(0.9) ? areaId : anyRoom(world, random)).services
    const items = kept.filter(() => random.chance(0.7)).map(({ id, code }) => ({ id, code }))
    return { data_services: random.chance(0.5) ? items : [...items, { code: mark('service') }] }
  },
  // Changes nothing.
  'PATCH /v1/areas/{areaExternalId}/data_services/{serviceId}': () => ({ label: null }),
  'POST /v1/areas/{areaExternalId}/move': (world, _, random, areaId) => {
    const near = world.facilities.find((one) => one.areas.some((room) => fullId(one, room) === areaId))
    const room = near && random.chance(0.7) ? fullId(near, random.pick(near.areas)) : anyRoom(world, random)
    return { to: random.chance(0.05) ? `${absent}-1` : room }
  },
}

function anyRoom({ facilities }: World, random: Random): string {
  const facility = random.pick(facilities)
  return fullId(facility, random.pick(facility.areas))
}

/** Returns a random request of one partner, also for hidden, absent and malformed ids. */
export function randomCell(world: World, random: Random, partner: Partner = random.pick(world.partners)): Cell {
  const route = random.pick(routes)
  const facility = random.chance(0.85) ? random.pick(world.facilities) : undefined
  const facilityId = facility?.id_external ?? random.pick(strangeIds)
  const room = facility !== undefined && random.chance(0.9) ? random.pick(facility.areas) : undefined
  const areaId = facility && room ? fullId(facility, room) : `${facilityId}-${random.pick(['9', '1-1', ''])}`
  const makeBody = bodies[route]
  const index = facility === undefined ? 99 : facility.id - 7000
  return {
    partner,
    route,
    facility,
    facilityId,
    room,
    areaId,
    serviceId: random.pick(['none', ...stayIn(world, areaId).services.map(({ id }) => id)]),
    query: randomQuery(route, random),
    value: makeBody?.(world, (field) => canary(index, field), random, areaId),
    isBroken: makeBody !== undefined && random.chance(0.15),
  }
}

function randomQuery(route: string, random: Random): Query {
  if (random.chance(0.05)) return { unknown: random.pick(unknownParameters) }
  if (!route.startsWith('GET') || !random.chance(0.3)) return {}
  if (route === 'GET /v1/facilities/') {
    const type = canary(random.below(6), 'type')
    return random.pick([{ limit: 1 + random.below(4) }, { status: 'active' }, { type }, { type, limit: 1 }])
  }
  if (!/areas(_autocomplete_list)?$/.test(route)) return {}
  const common = [{ limit: 1 + random.below(3) }, { q: String(1 + random.below(5)) }]
  if (!route.endsWith('/areas')) return random.pick(common)
  const service = canary(random.below(6), 'service')
  return random.pick([...common, { open: random.chance(0.5) }, { service }, { service, open: true, limit: 1 }])
}

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Body = any

/** Applies a successful write to the world. */
export function note(world: World, cell: Cell, body: Body): void {
  const { route, areaId } = cell
  if (route.startsWith('GET')) return
  world.changes++
  const facility = cell.facility as Facility
  if (route.endsWith('/name')) facility.name = cell.value as string
  else if (route.endsWith('/ssid_public')) facility.ssid_public = cell.value as string
  else if (route.endsWith('/subscription_url')) facility.subscription_url = cell.value as string
  else if (route.endsWith('/areas_autocomplete_list')) {
    const sent = cell.value as { id_external: string; name: string }[]
    facility.areas_autocomplete_list = sent.map(({ id_external, name }) => ({ id: id_external, name }))
  } else if (route.endsWith('/areas/bulk')) {
    if (body.results[0].status === 200) world.stays.delete(areaId)
  } else if (body.to !== undefined) {
    world.stays.set(body.to.area.id_external, stayIn(world, areaId))
    world.stays.delete(areaId)
  } else {
    const stay = stayIn(world, areaId)
    const services = body.services?.data_services ?? body.remaining_services ?? []
    stay.services = services.map(({ id, code }: Stay) => ({ id, code }))
    if (body.area !== undefined) stay.isOpen = route.startsWith('POST')
  }
}

type Stay = { id: string; code: string }
