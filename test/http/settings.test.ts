import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'

const origin = 'https://portal.example'

onEachEngine('no CORS by default', {}, (atrium) => {
  test('nothing is allowed', async () => {
    const answer = await atrium().ask('GET /v1/me', { as: 'ward', headers: { origin } })
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    const preflight = await atrium().ask('OPTIONS /v1/me', {
      headers: { origin, 'access-control-request-method': 'GET' },
    })
    assert.equal(preflight.status, 405)
  })
})

onEachEngine(
  'ATRIUM_CORS_ORIGINS',
  { settings: { ATRIUM_CORS_ORIGINS: `${origin}, http://localhost:3000` } },
  (atrium) => {
    test('a named origin may call', async () => {
      const answer = await atrium().ask('GET /v1/me', { as: 'ward', headers: { origin } })
      assert.equal(answer.headers.get('access-control-allow-origin'), origin)
      assert.match(answer.headers.get('access-control-expose-headers') ?? '', /ETag/)
      assert.match(answer.headers.get('vary') ?? '', /Origin/)
    })

    test('its preflight needs no token', async () => {
      const headers = {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization',
      }
      const answer = await atrium().ask('OPTIONS /v1/facilities/lyon-01/name', { headers })
      assert.equal(answer.status, 204)
      assert.match(answer.headers.get('access-control-allow-methods') ?? '', /PATCH/)
      const allowed = answer.headers.get('access-control-allow-headers')?.split(', ') ?? []
      for (const name of ['Authorization', 'Last-Event-ID', 'traceparent']) assert.ok(allowed.includes(name), name)
    })

    for (const other of ['https://evil.example', 'https://portal.example.evil', 'null', 'http://portal.example']) {
      test(`${other} may not`, async () => {
        const answer = await atrium().ask('GET /v1/me', { as: 'ward', headers: { origin: other } })
        assert.equal(answer.headers.get('access-control-allow-origin'), null)
      })
    }
  },
)

const deprecations = JSON.stringify([
  { route: 'GET /v1/facilities', deprecation: '2027-01-01T00:00:00Z', sunset: '2028-01-01T00:00:00Z' },
  { route: 'PATCH /v1/facilities/{facilityExternalId}/name', deprecation: '2027-06-01' },
])

onEachEngine('ATRIUM_DEPRECATIONS', { settings: { ATRIUM_DEPRECATIONS: deprecations } }, (atrium) => {
  test('a deprecated route has the headers, also on refusals', async () => {
    for (const as of ['ward', 'nobody']) {
      const { headers } = await atrium().ask('GET /v1/facilities/', { as })
      assert.equal(headers.get('deprecation'), '@1798761600')
      assert.equal(headers.get('sunset'), 'Sat, 01 Jan 2028 00:00:00 GMT')
    }
    const patch = await atrium().ask('PATCH /v1/facilities/lyon-01/name', { as: 'hotelier', body: { value: 'x' } })
    assert.deepEqual([patch.headers.get('deprecation'), patch.headers.get('sunset')], ['@1811808000', null])
  })

  test('others do not have them', async () => {
    assert.equal((await atrium().ask('GET /v1/me', { as: 'ward' })).headers.get('deprecation'), null)
  })
})

const limits = {
  ATRIUM_LIMIT_BODY_BYTES: '2000',
  ATRIUM_LIMIT_JSON_DEPTH: '5',
  ATRIUM_LIMIT_LIST_ENTRIES: '2',
  ATRIUM_LIMIT_POST_SUBSCRIPTIONS: '3',
  ATRIUM_LIMIT_ROOM_SUBSCRIPTIONS: '4',
  ATRIUM_LIMIT_ROOM_BYTES: '500',
  ATRIUM_LIMIT_SUBSCRIPTION_BYTES: '100',
  ATRIUM_LIMIT_HEADER_BYTES: '5000',
}

onEachEngine('every limit can be set', { settings: limits }, (atrium) => {
  const list = '/v1/facilities/lyon-01/areas_autocomplete_list'
  const services = 'POST /v1/areas/chu-nord-214/data_services'
  const entries = (count: number) => Array.from({ length: count }, (_, n) => ({ id_external: `${n}`, name: 'x' }))
  const legacy = (items: object[]) => ({ value: JSON.stringify(items) })
  const cases: [string, string, unknown, number, string | undefined][] = [
    ['body', `PATCH ${list}`, { value: [], x: 'y'.repeat(2000) }, 413, 'body_too_large'],
    ['depth', `PATCH ${list}`, { value: [[[[[]]]]] }, 400, 'body_too_deep'],
    ['entries', `PATCH ${list}`, { value: entries(3) }, 400, 'limit_exceeded'],
    ['entries, just enough', `PATCH ${list}`, { value: entries(2) }, 200, undefined],
    ['subscriptions at once', services, legacy([1, 2, 3, 4].map((n) => ({ code: `${n}` }))), 400, 'limit_exceeded'],
    ['subscription bytes', services, legacy([{ code: 'x', note: 'y'.repeat(100) }]), 400, 'item_invalid'],
    ['three fit', services, legacy([1, 2, 3].map((n) => ({ code: `${n}` }))), 200, undefined],
    [
      'five would be too many in the room',
      services,
      legacy([1, 2].map((n) => ({ code: `${n}` }))),
      400,
      'limit_exceeded',
    ],
    [
      'a long one has no space in the room',
      services,
      legacy([{ code: 'x', note: 'y'.repeat(70) }]),
      400,
      'limit_exceeded',
    ],
    ['a short one has', services, legacy([{ code: 'x' }]), 200, undefined],
  ]
  for (const [when, request, body, status, code] of cases) {
    test(when, async () => {
      const answer = await atrium().ask(request, { as: 'everything', body })
      assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text)
    })
  }

  test('path and headers', async () => {
    const answer = await atrium().ask('GET /v1/me', { as: 'ward', headers: { 'x-long': 'y'.repeat(6000) } })
    assert.equal(answer.status, 431)
  })
})
