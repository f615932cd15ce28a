import type { Atrium } from '../../client/src/index.ts'

type Call = (atrium: Atrium, ...ids: string[]) => Promise<unknown>

const facility = '/v1/facilities/{facilityExternalId}'
const list = `${facility}/areas_autocomplete_list`
const area = '/v1/areas/{areaExternalId}'
const services = `${area}/data_services`
const webhook = '/v1/webhooks/{webhookId}'

/** Every method of the client with the operation that it sends, and a call with one id for each of its parameters. */
export const calls: Record<string, [operation: string, call: Call]> = {
  me: ['GET /v1/me', (atrium) => atrium.me()],
  requests: ['GET /v1/requests', (atrium) => atrium.requests().all()],
  events: ['GET /v1/events', (atrium) => atrium.events({ after: 'x' }).next()],
  'facilities.list': ['GET /v1/facilities/', ({ facilities }) => facilities.list().all()],
  'facilities.get': [`GET ${facility}/`, ({ facilities }, id = '') => facilities.get(id)],
  'facilities.rename': [`PATCH ${facility}/name`, ({ facilities }, id = '') => facilities.rename(id, 'x')],
  'facilities.setPublicSsid': [
    `PATCH ${facility}/ssid_public`,
    ({ facilities }, id = '') => facilities.setPublicSsid(id, 'x'),
  ],
  'facilities.setPortalUrl': [
    `PATCH ${facility}/subscription_url`,
    ({ facilities }, id = '') => facilities.setPortalUrl(id, 'x'),
  ],
  'areas.list': [`GET ${facility}/areas`, async ({ areas }, id = '') => areas.list(id).all()],
  'areas.get': [`GET ${area}/`, ({ areas }, id = '') => areas.get(id)],
  'autocomplete.list': [`GET ${list}`, async ({ autocomplete }, id = '') => autocomplete.list(id).all()],
  'autocomplete.rehearse': [`PATCH ${list}`, ({ autocomplete }, id = '') => autocomplete.rehearse(id, [])],
  'autocomplete.replace': [`PATCH ${list}`, ({ autocomplete }, id = '') => autocomplete.replace(id, [])],
  'rooms.open': [`POST ${area}/`, ({ rooms }, id = '') => rooms.open(id)],
  'rooms.close': [`DELETE ${area}/`, ({ rooms }, id = '') => rooms.close(id)],
  'rooms.move': [`POST ${area}/move`, ({ rooms }, id = '') => rooms.move(id, 'x')],
  'rooms.changeMany': [
    `POST ${facility}/areas/bulk`,
    ({ rooms }, id = '') => rooms.changeMany(id, [{ op: 'open', area: 'x' }]),
  ],
  'services.list': [`GET ${services}`, ({ services }, id = '') => services.list(id)],
  'services.add': [`POST ${services}`, ({ services }, id = '') => services.add(id, [])],
  'services.change': [
    `PATCH ${services}/{serviceId}`,
    ({ services }, id = '', service = '') => services.change(id, service, {}),
  ],
  'services.replace': [`PUT ${services}`, ({ services }, id = '') => services.replace(id, [])],
  'services.sync': [`PUT ${services}`, ({ services }, id = '') => services.sync(id, [])],
  'services.delete': [
    `DELETE ${services}/{serviceId}`,
    ({ services }, id = '', service = '') => services.delete(id, service),
  ],
  'webhooks.list': ['GET /v1/webhooks', ({ webhooks }) => webhooks.list()],
  'webhooks.get': [`GET ${webhook}`, ({ webhooks }, id = '') => webhooks.get(id)],
  'webhooks.create': ['POST /v1/webhooks', ({ webhooks }) => webhooks.create({ url: 'https://x.example', types: '*' })],
  'webhooks.change': [`PATCH ${webhook}`, ({ webhooks }, id = '') => webhooks.change(id, { own: true })],
  'webhooks.delete': [`DELETE ${webhook}`, ({ webhooks }, id = '') => webhooks.delete(id)],
  'webhooks.ping': [`POST ${webhook}/ping`, ({ webhooks }, id = '') => webhooks.ping(id)],
  'webhooks.rotate': [`POST ${webhook}/rotate`, ({ webhooks }, id = '') => webhooks.rotate(id)],
  'webhooks.deliveries': [`GET ${webhook}/deliveries`, async ({ webhooks }, id = '') => webhooks.deliveries(id).all()],
  'webhooks.replay': [`POST ${webhook}/replay`, ({ webhooks }, id = '') => webhooks.replay(id, { event: 'x' })],
  'sandbox.get': ['GET /v1/sandbox', ({ sandbox }) => sandbox.get()],
  'sandbox.reset': ['POST /v1/sandbox/reset', ({ sandbox }) => sandbox.reset()],
  'sandbox.clock': ['POST /v1/sandbox/clock', ({ sandbox }) => sandbox.clock({ advance: 'PT1H' })],
}

const methodsOf = (value: object) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(value)).filter((name) => name !== 'constructor')

/** Lists every method of the client, `group.name`. */
export function methodsIn(atrium: Atrium): string[] {
  const grouped = Object.entries(atrium).flatMap(([group, value]) => methodsOf(value).map((name) => `${group}.${name}`))
  return [...methodsOf(atrium), ...grouped].sort()
}
