import type { Role } from '../../src/domain/access/operator.ts'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { createOperator } from '../../src/operations/access/operator.ts'
import { createKey } from '../../src/operations/access/operator-key.ts'
import type { TestAtrium } from '../../test/harness/atrium.ts'
import { Random } from '../../test/torture/random.ts'
import { daysAgo, goTo, inDays, minutesAgo, now } from './clock.ts'
import { houses, roomsOf } from './estate.ts'
import { keepWebhooks } from './webhooks.ts'

/** Requests in the form `METHOD path body`, each from an address of its own. */
export type Ask = (as: string, request: string, body?: unknown) => Promise<number>

const addresses = ['203.0.113.24', '198.51.100.7', '203.0.113.80', '192.0.2.41']

function asking(atrium: TestAtrium): Ask {
  return async (as, request, body) => {
    const from = addresses[as.length % addresses.length] ?? ''
    const { status } = await atrium.ask(request, { as, body, headers: { 'x-forwarded-for': from } })
    return status
  }
}

/** Creates weeks of operator activity and an hour of partner requests, by real requests at set times. */
export async function live(atrium: TestAtrium): Promise<void> {
  const ask = asking(atrium)
  goTo(daysAgo(38))
  const camille = await hire(atrium, 'Camille Renaud', 'admin')
  const jonas = await hire(atrium, 'Jonas Weber', 'editor')
  await hire(atrium, 'Inès Moreau', 'viewer')
  await renameTokens(atrium, camille)
  for (const [days, as, request, body] of work(camille, jonas)) {
    goTo(daysAgo(days))
    const status = await ask(as, request, body)
    if (status !== 200) throw new Error(`${request} returned ${status}`)
  }
  await openRooms(ask)
  await anHour(ask)
  goTo(now)
  await keepWebhooks(atrium, 'north-portal')
}

/** Creates an operator of each role, with a key; the administrator's session takes the screenshots. */
async function hire({ service: { db } }: TestAtrium, name: string, role: Role): Promise<string> {
  const { id } = await createOperator(db, commandLine, { email: `${role}@example.com`, name, role, password: null })
  const order = { operator: id, name: 'inventory script', expiresAt: inDays(52), allowedRanges: [] }
  return (await createKey(db, commandLine, order)).secret
}

function work(camille: string, jonas: string): [number, string, string, unknown][] {
  const cms = (request: string) => request.replace(' ', ' /cms/v1')
  return [
    [36, camille, cms('PATCH /settings'), { request_log_successes: 1000 }],
    [31, camille, cms('POST /partners/wave-wifi/tokens'), { name: 'monitoring', expires_at: inDays(9) }],
    [29, jonas, cms('PATCH /facilities/torino-01'), { ssid_public: 'Belmonte Guest' }],
    [24, camille, cms('POST /partners/keyline/tokens'), { name: 'door controllers', expires_at: inDays(4) }],
    [21, jonas, cms('POST /facilities/grenoble-03/areas'), { range: '601-606', name: 'Suite {id}' }],
    [17, camille, cms('PATCH /partners/keyline'), { rate_limit: '20/s burst 200' }],
    [12, jonas, cms('PATCH /facilities/nice-02'), { status: 'suspended', subscribed: false }],
    [12, jonas, cms('PATCH /facilities/annecy-01'), { ssid_public: 'Val d’Orme Patients' }],
    [6, jonas, cms('PUT /facilities/lille-01/devices/tv-614'), { type: 'tv', serial: 'L43H-614', area: '614' }],
    [3, camille, cms('PATCH /partners/north-portal'), { rate_limit: '50/s burst 500' }],
    [2, camille, cms('POST /partners/acme-pms/sandbox'), { facilities: ['lyon-01'] }],
    [1, camille, cms('POST /partners/keyline/tokens'), { name: 'staging', allowed_ranges: ['203.0.113.0/24'] }],
    [0.2, jonas, cms('PATCH /facilities/rennes-01'), { subscription_url: 'https://portal.example/rennes-01' }],
    [0.1, jonas, cms('PATCH /facilities/lyon-01'), { name: 'Hôtel des Deux Rives & Spa' }],
  ]
}

async function renameTokens(atrium: TestAtrium, as: string): Promise<void> {
  for (const partner of Object.keys(atrium.tokens)) {
    const { body } = await atrium.ask(`GET /cms/v1/partners/${partner}/tokens`, { as })
    const { id } = body.find(({ name }: { name: string }) => name === 'test')
    await atrium.ask(`PATCH /cms/v1/tokens/${id}`, { as, body: { name: 'production' } })
  }
}

const services = ['tv-premium', 'wifi-plus', 'phone']

async function openRooms(ask: Ask): Promise<void> {
  const random = new Random(5)
  const wards = ['A-101', 'A-104', 'A-107', 'B-201', 'B-202', 'B-204', 'B-207', 'B-211', 'C-301', 'C-303', 'D-002']
  const keyline = houses.filter(({ id }) => id === 'lille-01' || id === 'grenoble-03')
  const north = houses.filter(({ id }) => id === 'rennes-01' || id === 'geneve-01')
  const opened = [
    ...wards.map((room) => ['vesta-tv', `annecy-01-${room}`]),
    ...['101', '103', '203', '206', '304', '402'].map((room) => ['acme-pms', `lyon-01-${room}`]),
    ...[...keyline, ...north].flatMap((house) => {
      const rooms = roomsOf(house).filter(() => random.chance(0.45))
      return rooms.map((room) => [keyline.includes(house) ? 'keyline' : 'north-portal', `${house.id}-${room}`])
    }),
  ]
  for (const [at, [partner = '', room = '']] of opened.entries()) {
    goTo(minutesAgo(2800 - at * 12))
    await ask(partner, `POST /v1/areas/${room}/`)
    if (!['vesta-tv', 'north-portal'].includes(partner)) continue
    const some = services.filter(() => random.chance(0.55))
    const value = some.map((code) => ({ code, label: labels[code], end: ends(random) }))
    await ask(partner, `POST /v1/areas/${room}/data_services`, { value: JSON.stringify(value) })
  }
}

const labels: Record<string, string> = { 'tv-premium': 'Premium TV', 'wifi-plus': 'Fast Wi-Fi', phone: 'Telephone' }

/** Returns an end within the next week, in one of four cases today. */
function ends(random: Random): string {
  return inDays(random.chance(0.25) ? 0.1 + random.below(8) / 10 : 1 + random.below(6))
}

/** Requests of a partner with their frequency; some are not granted. */
const habits: [number, string, string, unknown?][] = [
  [9, 'acme-pms', 'GET /v1/facilities/lyon-01/areas'],
  [4, 'acme-pms', 'GET /v1/facilities/'],
  [2, 'acme-pms', 'PATCH /v1/facilities/lyon-01/subscription_url', { value: 'https://portal.example/new' }],
  [8, 'vesta-tv', 'GET /v1/facilities/annecy-01/areas'],
  [4, 'vesta-tv', 'GET /v1/areas/annecy-01-B-207/data_services'],
  [1, 'vesta-tv', 'GET /v1/areas/annecy-01-Z-999/'],
  [7, 'wave-wifi', 'GET /v1/facilities/'],
  [2, 'wave-wifi', 'GET /v1/facilities/lille-01/areas_autocomplete_list'],
  [6, 'north-portal', 'GET /v1/facilities/rennes-01/areas'],
  [2, 'north-portal', 'GET /v1/facilities/geneve-01'],
  [5, 'keyline', 'GET /v1/facilities/lille-01/areas'],
  [1, 'keyline', 'GET /v1/facilities/torino-01/areas'],
  [1, 'atr_forgotten', 'GET /v1/me'],
]

async function anHour(ask: Ask): Promise<void> {
  const random = new Random(11)
  const choices = habits.flatMap(([often, ...one]) => Array.from({ length: often }, () => one))
  for (let minute = 59; minute >= 0; minute--) {
    const wave = 22 + Math.round(12 * Math.sin(minute / 9)) + random.below(8)
    for (let at = 0; at < wave; at++) {
      goTo(minutesAgo(minute) + Math.floor((at * 60_000) / wave) - 60_000)
      const [as, request, body] = random.pick(choices)
      await ask(as, request, body)
    }
    // The request log stores only a limited number of requests per second.
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
