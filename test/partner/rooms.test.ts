import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { scenarios } from '../harness/scenarios.ts'

const room = '/v1/areas/chu-nord-214/'
const services = '/v1/areas/chu-nord-214/data_services'
const tv = { value: '[{"code":"tv"}]' }

onEachEngine('opening and closing a room', {}, (atrium) => {
  const ward = (request: string, rest = {}) => atrium().ask(request, { as: 'ward', ...rest })

  test('opening starts a cycle and answers the area', async () => {
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

  test('opening an open room starts a new cycle without what belonged to the last', async () => {
    const first = (await ward(`POST ${room}`)).body.area
    await ward(`POST ${services}`, { body: tv })
    const second = (await ward(`POST ${room}`)).body.area
    assert.notEqual(second.cycle, first.cycle)
    assert.deepEqual(second.data_services, [])
    assert.deepEqual((await ward(`GET ${services}`)).body, { data_services: [] })
  })

  test('what was laid out in a closed room is gone with the opening', async () => {
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

  test('rooms are apart: another room keeps what it has', async () => {
    await ward('POST /v1/areas/chu-nord-215/data_services', { body: tv })
    await ward(`POST ${room}`)
    assert.equal((await ward('GET /v1/areas/chu-nord-215/data_services')).body.data_services.length, 1)
  })

  test('Atrium-Cycle reaches the cycle that is meant and no other', async () => {
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
