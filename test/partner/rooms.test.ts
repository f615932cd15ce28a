import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { assertProblem, scenarios } from '../harness/scenarios.ts'
import { seed } from '../harness/seed.ts'

const room = '/v1/areas/chu-nord-214/'
const services = '/v1/areas/chu-nord-214/data_services'
const tv = { value: '[{"code":"tv"}]' }

onEachEngine('opening and closing a room', {}, (atrium) => {
  const ward = (request: string, rest = {}) => atrium().ask(request, { as: 'ward', ...rest })

  test('opening starts a cycle and returns the area', async () => {
    const before = new Date().toISOString()
    const { status, body, headers } = await ward(`POST ${room}`)
    assert.equal(status, 200)
    assert.match(body.info, /chu-nord-214 is open/)
    assert.match(body.area.cycle, /^[0-9a-f-]{36}$/)
    assert.ok(body.area.opened_at >= before)
    const read = await ward(`GET ${room}`)
    assert.deepEqual(read.body, body.area)
    assert.equal(read.headers.get('etag'), headers.get('etag'))
  })

  test('opening an open room starts a new cycle without the subscriptions of the last', async () => {
    const first = (await ward(`POST ${room}`)).body.area
    await ward(`POST ${services}`, { body: tv })
    const second = (await ward(`POST ${room}`)).body.area
    assert.notEqual(second.cycle, first.cycle)
    assert.deepEqual(second.data_services, [])
    assert.deepEqual((await ward(`GET ${services}`)).body, { data_services: [] })
  })

  test('opening removes what was added to a closed room', async () => {
    await ward(`DELETE ${room}`)
    const laid = await ward(`POST ${services}`, { body: tv })
    assert.equal(laid.body.services.data_services.length, 1)
    assert.deepEqual((await ward(`POST ${room}`)).body.area.data_services, [])
  })

  test('closing ends the cycle and empties the room', async () => {
    await ward(`POST ${room}`)
    await ward(`POST ${services}`, { body: tv })
    const { status, body } = await ward(`DELETE ${room}`)
    assert.equal(status, 200)
    assert.match(body.info, /chu-nord-214 is closed/)
    assert.deepEqual([body.area.cycle, body.area.opened_at, body.area.data_services], [null, null, []])
  })

  test('closing a closed room changes nothing, but leaves it empty', async () => {
    await ward(`DELETE ${room}`)
    const before = await ward(`GET ${room}`)
    assert.equal((await ward(`DELETE ${room}`)).status, 200)
    assert.equal((await ward(`GET ${room}`)).text, before.text)
    await ward(`POST ${services}`, { body: tv })
    assert.deepEqual((await ward(`DELETE ${room}`)).body.area.data_services, [])
  })

  test('a subscription of an ended cycle cannot be deleted any more', async () => {
    await ward(`POST ${room}`)
    const { body } = await ward(`POST ${services}`, { body: tv })
    await ward(`POST ${room}`)
    const gone = await ward(`DELETE ${services}/${body.services.data_services[0].id}`)
    assert.equal(gone.body.code, 'service_not_found')
  })

  test('another room keeps its subscriptions', async () => {
    await ward('POST /v1/areas/chu-nord-215/data_services', { body: tv })
    await ward(`POST ${room}`)
    assert.equal((await ward('GET /v1/areas/chu-nord-215/data_services')).body.data_services.length, 1)
  })

  for (const cycle of ['undefined', 'nonsense', '0192f0c1-2d3e-7abc-8def', '{0192f0c1-2d3e-7abc-8def-0123456789ab}']) {
    test(`Atrium-Cycle: ${cycle} is refused and changes nothing`, async () => {
      const { cycle: current } = (await ward(`POST ${room}`)).body.area
      const headers = { 'atrium-cycle': cycle }
      for (const [request, more] of Object.entries({
        [`POST ${room}`]: {},
        [`DELETE ${room}`]: {},
        [`POST ${services}`]: { body: tv },
        [`DELETE ${services}/none`]: {},
      })) {
        assertProblem(await ward(request, { headers, ...more }), 400, 'header_invalid')
        const refused = await atrium().ask(request, { as: 'bare', headers, ...more })
        assertProblem(refused, 403, 'not_granted')
      }
      assert.equal((await ward(`GET ${room}`, { headers })).body.cycle, current)
    })
  }

  test('Atrium-Cycle applies to the cycle it names and no other', async () => {
    const { cycle } = (await ward(`POST ${room}`)).body.area
    const mine = { headers: { 'atrium-cycle': cycle } }
    const { body } = await ward(`POST ${services}`, { body: tv, ...mine })
    const [{ id }] = body.services.data_services
    await ward(`POST ${room}`)
    for (const [request, rest] of [
      [`POST ${services}`, { body: tv }],
      [`DELETE ${services}/${id}`, {}],
      [`DELETE ${room}`, {}],
      [`POST ${room}`, {}],
    ] as const) {
      const late = await ward(request, { ...rest, ...mine })
      assert.deepEqual([late.status, late.body.code], [412, 'cycle_ended'], request)
    }
    await ward(`DELETE ${room}`)
    assert.equal((await ward(`POST ${services}`, { body: tv, ...mine })).status, 412)
    assert.deepEqual((await ward(`GET ${services}`)).body, { data_services: [] })
  })
})

scenarios('POST and DELETE /v1/areas/{id}/', [
  { when: 'without a slash', as: 'hotelier', request: 'POST /v1/areas/lyon-01-101', status: 200 },
  {
    when: 'a body is ignored',
    as: 'hotelier',
    request: 'POST /v1/areas/lyon-01-101/',
    body: 'not json {',
    headers: { 'content-type': 'text/plain' },
    status: 200,
  },
  {
    when: 'a body with an odd type is ignored',
    as: 'hotelier',
    request: 'DELETE /v1/areas/lyon-01-101/',
    body: 'x',
    headers: { 'content-type': 'nonsense' },
    status: 200,
  },
  { when: 'opening needs no per-room services', as: 'hotelier', request: 'POST /v1/areas/nice-02-A-1/', status: 200 },
  ...['POST', 'DELETE'].flatMap((method) => [
    {
      when: `${method}: open_close is not granted`,
      as: 'bare',
      request: `${method} ${room}`,
      status: 403,
      code: 'not_granted',
      has: { required: { facility: 'chu-nord', rooms: 'open_close' } },
    },
    {
      when: `${method}: the area is hidden`,
      as: 'hotelier',
      request: `${method} ${room}`,
      status: 404,
      code: 'area_not_found',
    },
    {
      when: `${method}: the area does not exist`,
      as: 'ward',
      request: `${method} /v1/areas/chu-nord-999/`,
      status: 404,
      code: 'area_not_found',
    },
    {
      when: `${method}: a parameter is sent`,
      as: 'ward',
      request: `${method} ${room}?force=1`,
      status: 400,
      code: 'parameter_unknown',
    },
    { when: `${method}: there is no token`, request: `${method} ${room}`, status: 401, code: 'token_missing' },
  ]),
])

const seenBy = (id: string, read: string[], roomRights: string[]) => ({
  id,
  name: id,
  grants: [{ facilities: ['open', 'plain'], read, write: [], rooms: roomRights }],
})
const rights = {
  facilities: [
    { id_external: 'open', name: 'O', room_services: true, areas: [{ id: '1', data_general: [{ ward: 'secret' }] }] },
    { id_external: 'plain', name: 'P', room_services: false, areas: [{ id: '1' }] },
  ].map((facility) => ({ ...facility, areas: facility.areas.map((area) => ({ name: 'Room', ...area })) })),
  partners: [
    seenBy('reader', ['areas'], ['open_close', 'services']),
    seenBy('doorman', [], ['open_close']),
    seenBy('seller', [], ['services']),
    seenBy('nobody', [], []),
  ],
}

onEachEngine('what the rights on a room show of it', { estate: rights }, (atrium) => {
  const path = '/v1/areas/open-1/'
  const ask = (as: string, request: string, rest = {}) => atrium().ask(request, { as, ...rest })

  test('the grant services includes reading them, open_close does not', async () => {
    await ask('reader', `POST ${path}data_services`, { body: tv })
    const whole = await ask('reader', `GET ${path}data_services`)
    const seen = await ask('seller', `GET ${path}data_services`)
    assert.deepEqual([seen.status, seen.text], [200, whole.text])
    assert.equal(seen.body.data_services.length, 1)
    for (const as of ['doorman', 'nobody']) {
      const refused = await ask(as, `GET ${path}data_services`)
      assertProblem(refused, 403, 'not_granted')
      assert.deepEqual(refused.body.required, { facility: 'open', read: 'areas' })
    }
    assertProblem(await ask('seller', `GET ${path}`), 403, 'not_granted')
    assertProblem(await ask('seller', 'GET /v1/areas/plain-1/data_services'), 403, 'room_services_unsupported')
    assert.equal((await ask('reader', 'GET /v1/areas/plain-1/data_services')).status, 200)
  })

  test('opening and closing show data_general with the grant to read areas, replays included', async () => {
    for (const method of ['POST', 'DELETE']) {
      assert.deepEqual((await ask('reader', `${method} ${path}`)).body.area.data_general, [{ ward: 'secret' }])
      const headers = method === 'POST' ? { 'idempotency-key': 'once' } : {}
      for (const turn of ['first', 'again']) {
        const { status, body, text } = await ask('doorman', `${method} ${path}`, { headers })
        assert.equal(status, 200)
        assert.ok(!('data_general' in body.area), turn)
        assert.doesNotMatch(text, /secret/)
      }
    }
  })

  test('the ETag of an opening is that of the returned area, and is accepted for the next change', async () => {
    const opened = await ask('doorman', `POST ${path}`)
    const whole = await ask('reader', `GET ${path}`)
    assert.notEqual(opened.headers.get('etag'), whole.headers.get('etag'))
    const headers = { 'if-match': opened.headers.get('etag') ?? '' }
    assert.equal((await ask('doorman', `DELETE ${path}`, { headers })).status, 200)
    assertProblem(await ask('doorman', `DELETE ${path}`, { headers }), 412, 'precondition_failed')
  })

  test('a replayed response does not show what the partner may no longer read', async () => {
    const headers = { 'idempotency-key': 'shrunk' }
    const first = await ask('reader', `POST ${path}`, { headers })
    assert.match(first.text, /secret/)
    await seed(atrium().service.db, { partners: [seenBy('reader', [], ['open_close'])] })
    const again = await ask('reader', `POST ${path}`, { headers })
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [200, 'true'])
    assert.doesNotMatch(again.text, /secret|data_general/)
    assert.equal(again.body.area.cycle, first.body.area.cycle)
  })
})
