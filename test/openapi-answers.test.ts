import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openApiDocument } from '../src/http/openapi/document.ts'
import { partnerEndpoints } from '../src/http/partner/routes.ts'
import { type Asked, onEachEngine, type TestAtrium } from './harness/atrium.ts'
import { documentedBy, type Node } from './harness/openapi.ts'
import { receiverOfSuite, someWebhook, webhookSettings } from './harness/some-webhook.ts'
import { playground } from './sandbox/fixture.ts'

const openapi: Node = JSON.parse(JSON.stringify(openApiDocument()))
const assertDocumented = documentedBy(openapi)

/** What a successful request to each route needs besides its path. */
const calls: Record<string, Asked> = {
  replaceAutocompleteList: { body: { value: [{ id_external: '101', name: 'Suite Étoile' }] } },
  updateFacilityName: { body: { value: 'Hôtel Bellecour' } },
  updateFacilitySsidPublic: { body: { value: 'Bellecour Guest' } },
  updateFacilitySubscriptionUrl: { body: { value: 'https://portal.example/lyon-01' } },
  changeWebhook: { body: { own: true } },
  rotateWebhook: { body: {} },
  replayWebhook: { body: { from: '2000-01-01' } },
  moveSandboxClock: { body: { advance: 'PT1H' } },
  changeManyRooms: {
    body: {
      mode: 'each',
      operations: [
        { op: 'open', area: 'lyon-01-2' },
        { op: 'add_services', area: 'lyon-01-2', services: [] },
      ],
    },
    headers: { 'idempotency-key': 'once' },
  },
  replaceRoomServices: { body: { data_services: [{ code: 'tv' }] }, headers: { 'idempotency-key': 'once' } },
  moveGuest: { body: { to: 'chu-nord-215' }, headers: { 'idempotency-key': 'move' } },
  changeRoomService: { body: { label: 'Changed' } },
  addRoomServices: { body: { value: '[{"code":"tv"}]' }, headers: { 'idempotency-key': 'once' } },
}

const settings = { ATRIUM_RATE_LIMIT: '100/s burst 1000', ...webhookSettings }

onEachEngine('responses are as documented', { settings }, (atrium) => {
  const receiver = receiverOfSuite()
  before(async () => {
    atrium().tokens.sandbox = (await playground(atrium(), 'everything', ['lyon-01'])).token
    calls.createWebhook = { body: { url: `${receiver().url}/made`, types: '*' } }
  })

  for (const { method, path, operationId, sandbox } of partnerEndpoints) {
    test(`${method} ${path}`, async () => {
      const operation = openapi.paths[path][method.toLowerCase()]
      const target = path
        .replace('{facilityExternalId}', 'lyon-01')
        // The requests of this test enter the log some time later; a past part of it stays the same.
        .replace(/\/requests$/, '$&?until=2000-01-01T00:00:00Z')
        .replace('{areaExternalId}', 'chu-nord-214')
        .replace('{serviceId}', path.includes('{serviceId}') ? await someService(atrium()) : '')
        .replace('{webhookId}', path.includes('{webhookId}') ? await someWebhook(atrium(), receiver()) : '')
      await prepare(atrium(), operationId)
      const asked = { as: sandbox ? 'sandbox' : 'everything', ...calls[operationId] }
      const answer = await atrium().ask(`${method} ${target}`, asked)
      assert.equal(answer.status, 200, answer.text)
      assertDocumented(answer, operation)
      assertDocumented(await atrium().ask(`${method} ${target}`, { ...asked, as: 'stranger' }), operation)
      assertDocumented(await atrium().ask(`${method} ${target}`, { ...calls[operationId] }), operation)
      const etag = answer.headers.get('etag')
      if (method !== 'GET' || etag === null) return
      const unchanged = await atrium().ask(`GET ${target}`, { as: 'everything', headers: { 'if-none-match': etag } })
      assert.equal(unchanged.status, 304)
      assertDocumented(unchanged, operation)
    })
  }

  for (const { method, path, query } of partnerEndpoints) {
    if (method !== 'GET' || !query.includes('cursor')) continue
    test(`a page of ${path}, and the 304 to its ETag`, async () => {
      const target = `GET ${path.replace('{facilityExternalId}', 'lyon-01').replace('{webhookId}', 'none')}?limit=1`
      const operation = openapi.paths[path].get
      const page = await atrium().ask(target, { as: 'everything' })
      assertDocumented(page, operation)
      const etag = page.headers.get('etag')
      if (etag === null) return
      const known = await atrium().ask(target, { as: 'everything', headers: { 'if-none-match': etag } })
      assert.deepEqual([known.status, known.headers.get('link')], [304, page.headers.get('link')])
      assertDocumented(known, operation)
    })
  }

  for (const [path, { get }] of Object.entries(openapi.paths as Node) as [string, Node][]) {
    if (path.startsWith('/v1/')) continue
    test(`GET ${path}`, async () => {
      const answer = await atrium().ask(`GET ${path.replace('{code}', 'not_granted').replace('{name}', 'quick-start')}`)
      assert.equal(answer.status, 200)
      assertDocumented(answer, get)
    })
  }
})

/** A guest can move only from an open room. */
async function prepare({ ask }: TestAtrium, operationId: string): Promise<void> {
  if (operationId === 'moveGuest') await ask('POST /v1/areas/chu-nord-214/', { as: 'everything' })
}

async function someService({ ask }: TestAtrium): Promise<string> {
  const { body } = await ask('POST /v1/areas/chu-nord-214/data_services', {
    as: 'everything',
    body: { value: '[{"code":"tv"}]' },
  })
  return body.services.data_services[0].id
}

const post = 'POST /v1/areas/chu-nord-214/data_services'
const key = { 'idempotency-key': 'used' }
const neverWas = '0192f0c1-2d3e-7abc-8def-0123456789ab'

/** Refusals that need a running service; the document takes the examples of all others from the code itself. */
const refused: [code: string, request: string, asked: Asked, before?: (atrium: TestAtrium) => Promise<unknown>][] = [
  ['route_not_found', 'GET /v2', {}],
  ['method_not_allowed', 'POST /v1/me', {}],
  ['token_missing', 'GET /v1/me', {}],
  ['token_invalid', 'GET /v1/me', { as: 'nobody' }],
  ['facility_not_granted', 'GET /v1/facilities/lyon-01/', { as: 'stranger' }],
  ['facility_not_found', 'GET /v1/facilities/none/', { as: 'everything' }],
  ['not_granted', 'PATCH /v1/facilities/lyon-01/ssid_public', { as: 'bare', body: { value: 'x' } }],
  ['area_not_found', 'GET /v1/areas/chu-nord-999/', { as: 'everything' }],
  ['room_services_unsupported', 'POST /v1/areas/lyon-01-2/data_services', { as: 'everything' }],
  ['service_not_found', 'DELETE /v1/areas/chu-nord-214/data_services/none', { as: 'ward' }],
  [
    'room_not_open',
    'POST /v1/areas/chu-nord-214/move',
    { as: 'ward', body: { to: 'chu-nord-215' } },
    ({ ask }) => ask('DELETE /v1/areas/chu-nord-214/', { as: 'ward' }),
  ],
  [
    'room_occupied',
    'POST /v1/areas/chu-nord-214/move',
    { as: 'ward', body: { to: 'chu-nord-215' } },
    async ({ ask }) => {
      for (const short of ['214', '215']) await ask(`POST /v1/areas/chu-nord-${short}/`, { as: 'ward' })
    },
  ],
  ['precondition_failed', 'DELETE /v1/areas/chu-nord-214/', { as: 'ward', headers: { 'if-match': '"other"' } }],
  ['cycle_ended', 'DELETE /v1/areas/chu-nord-214/', { as: 'ward', headers: { 'atrium-cycle': neverWas } }],
  ['header_invalid', 'DELETE /v1/areas/chu-nord-214/', { as: 'ward', headers: { 'atrium-cycle': 'undefined' } }],
  [
    'idempotency_key_reused',
    post,
    { as: 'ward', headers: key, body: { value: '[{"code":"tv"}]' } },
    ({ ask }) => ask(post, { as: 'ward', headers: key, body: { value: '[]' } }),
  ],
  [
    'cycle_ended_for_key',
    post,
    { as: 'ward', headers: key, body: { value: '[]' } },
    async ({ ask }) => {
      await ask(post, { as: 'ward', headers: key, body: { value: '[]' } })
      await ask('POST /v1/areas/chu-nord-214/', { as: 'ward' })
    },
  ],
  ['sandbox_required', 'GET /v1/sandbox', { as: 'everything' }],
  ['webhook_not_found', 'GET /v1/webhooks/none', { as: 'everything' }],
  ['body_type_unsupported', post, { as: 'ward', body: '', headers: { 'content-type': 'text/plain' } }],
  ['body_too_large', post, { as: 'ward', body: 'x'.repeat(1_048_577) }],
  ['body_not_object', post, { as: 'ward', body: [] }],
  ['value_missing', post, { as: 'ward', body: {} }],
  ['metrics_not_allowed', 'GET /metrics', { headers: { 'x-forwarded-for': '192.0.2.1' } }],
]

onEachEngine('examples of refusals are those of the service', {}, (atrium) => {
  for (const [code, request, asked, before] of refused) {
    test(code, async () => {
      await before?.(atrium())
      const { body } = await atrium().ask(request, asked)
      const { instance, request_id, ...example } = openapi.components.examples[code].value
      assert.deepEqual(body, { ...example, instance: body.instance, request_id: body.request_id })
    })
  }
})
