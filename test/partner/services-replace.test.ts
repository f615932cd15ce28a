import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answered, type Asked, onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { dump } from '../harness/dump.ts'
import { assertProblem, scenarios } from '../harness/scenarios.ts'

const room = '/v1/areas/chu-nord-214'
const path = `${room}/data_services`
const neverWas = '0192f0c1-2d3e-7abc-8def-0123456789ab'

type Service = { id: string; code: string; label?: string | null }

const ask = (atrium: TestAtrium, request: string, rest: Asked = {}) => atrium.ask(request, { as: 'ward', ...rest })
const put = (atrium: TestAtrium, items: unknown, headers: Record<string, string> = {}): Promise<Answered> =>
  ask(atrium, `PUT ${path}`, { body: { data_services: items }, headers })

/** Opens the room with three services. */
async function fill(atrium: TestAtrium): Promise<[Service, Service, Service]> {
  await ask(atrium, `POST ${room}`)
  const items = [{ code: 'tv', label: 'TV', pin: { a: 1 } }, { code: 'wifi', end: '2999-01-02' }, { code: 'minibar' }]
  const answer = await ask(atrium, `POST ${path}`, { body: { value: JSON.stringify(items) } })
  return answer.body.services.data_services
}

interface Row {
  when: string
  send: (all: [Service, Service, Service]) => unknown[]
  /** The services afterwards; a new one without its id. */
  gives: (all: [Service, Service, Service]) => unknown[]
}

const fresh = (code: string) => ({ code, label: null, status: 'active', start: null, end: null })

const rows: Row[] = [
  {
    when: 'an item without an id is added',
    send: (all) => [...all, { code: 'x' }],
    gives: (all) => [...all, fresh('x')],
  },
  { when: 'an item whose id is null is added', send: () => [{ id: null, code: 'x' }], gives: () => [fresh('x')] },
  { when: 'what is not named is removed', send: ([a, , c]) => [a, c], gives: ([a, , c]) => [a, c] },
  { when: 'an empty list removes all', send: () => [], gives: () => [] },
  {
    when: 'an item with an id is replaced as a whole, in its place',
    send: ([a, b, c]) => [a, { id: b.id, code: 'wifi', label: 'New', n: 1 }, c],
    gives: ([a, b, c]) => [a, { id: b.id, ...fresh('wifi'), label: 'New', n: 1 }, c],
  },
  {
    when: 'all three at once, in any order',
    send: ([a, b]) => [{ code: 'x' }, { ...b, label: 'Fast' }, { ...a }],
    gives: ([a, b]) => [a, { ...b, label: 'Fast' }, fresh('x')],
  },
]

onEachEngine('PUT data_services', {}, (atrium) => {
  for (const { when, send, gives } of rows) {
    test(when, async () => {
      const all = await fill(atrium())
      const { status, body, headers } = await put(atrium(), send(all))
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), ['info', 'services'])
      const after: Service[] = body.services.data_services
      const known = new Set(all.map(({ id }) => id))
      const shown = after.map(({ id, ...rest }) => (known.has(id) ? { id, ...rest } : rest))
      assert.deepEqual(shown, gives(all))
      const area = await ask(atrium(), `GET ${room}`)
      assert.deepEqual(area.body.data_services, after)
      assert.equal(area.headers.get('etag'), headers.get('etag'))
    })
  }

  test('what was read changes nothing when it is sent back', async () => {
    await fill(atrium())
    const { body } = await ask(atrium(), `GET ${path}`)
    const before = await dump(atrium().service.db)
    const answer = await ask(atrium(), `PUT ${path}`, { body })
    assert.deepEqual(answer.body.services, body)
    assert.equal(await dump(atrium().service.db), before)
  })

  test('a closed room takes services for the next guest', async () => {
    await ask(atrium(), `DELETE ${room}`)
    assert.equal((await put(atrium(), [{ code: 'x' }])).status, 200)
    assert.equal((await ask(atrium(), `GET ${room}`)).body.data_services.length, 1)
    await ask(atrium(), `DELETE ${room}`)
  })

  test('with a key, a second attempt adds nothing again, and none reaches the next cycle', async () => {
    const [tv] = await fill(atrium())
    const key = { 'idempotency-key': 'sync-1' }
    const first = await put(atrium(), [tv, { code: 'x' }], key)
    const again = await put(atrium(), [tv, { code: 'x' }], key)
    assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true'])
    assert.equal(again.headers.get('etag'), first.headers.get('etag'))
    assertProblem(await put(atrium(), [tv], key), 422, 'idempotency_key_reused')
    await ask(atrium(), `POST ${room}`)
    assertProblem(await put(atrium(), [tv, { code: 'x' }], key), 409, 'cycle_ended')
  })

  test('If-Match and Atrium-Cycle hold as for other changes of services', async () => {
    await fill(atrium())
    const area = await ask(atrium(), `GET ${room}`)
    const list = await ask(atrium(), `GET ${path}`)
    const [areaTag, listTag] = [area, list].map(({ headers }) => headers.get('etag') ?? '') as [string, string]
    const first = await put(atrium(), [{ code: 'x' }], { 'if-match': listTag, 'atrium-cycle': area.body.cycle })
    assert.equal(first.status, 200)
    for (const etag of [areaTag, listTag]) {
      assertProblem(await put(atrium(), [], { 'if-match': etag }), 412, 'precondition_failed')
    }
    assert.equal((await put(atrium(), [], { 'if-match': first.headers.get('etag') ?? '' })).status, 200)
    await ask(atrium(), `POST ${room}`)
    assertProblem(await put(atrium(), [], { 'atrium-cycle': area.body.cycle }), 412, 'cycle_ended')
  })

  test('refusals name the item and change nothing', async () => {
    const [tv] = await fill(atrium())
    const before = await dump(atrium().service.db)
    const good = { code: 'x' }
    const refused: [unknown, number, string, string?][] = [
      [[good, { id: neverWas, code: 'x' }], 404, 'service_not_found', '/data_services/1/id'],
      [[{ ...tv, code: 'other' }], 400, 'item_invalid', '/data_services/0/code'],
      [[tv, tv], 400, 'item_invalid', '/data_services/1/id'],
      [[{ id: 7, code: 'x' }], 400, 'item_invalid', '/data_services/0/id'],
      [[good, { label: 'no code' }], 400, 'item_invalid', '/data_services/1/code'],
      [[good, { ...good, end: 'tomorrow' }], 400, 'item_invalid', '/data_services/1/end'],
      [[good, 'x'], 400, 'item_not_object', '/data_services/1'],
      [{}, 400, 'body_invalid', '/data_services'],
      ['[]', 400, 'body_invalid', '/data_services'],
      [undefined, 400, 'body_invalid', '/data_services'],
      [Array.from({ length: 1001 }, () => good), 400, 'limit_exceeded', '/data_services'],
    ]
    for (const [items, status, code, pointer] of refused) {
      const answer = await put(atrium(), items)
      assertProblem(answer, status, code)
      assert.equal(answer.body.errors[0].pointer, pointer, JSON.stringify(items))
    }
    for (const [body, code] of [
      ['[]', 'body_invalid'],
      ['{"data_services": [{"code": "x", "n": 12345678901234567890}]}', 'item_invalid'],
      ['{"data_services": [', 'body_not_json'],
    ] as const) {
      assertProblem(await ask(atrium(), `PUT ${path}`, { body }), 400, code)
    }
    assert.equal(await dump(atrium().service.db), before)
  })
})

scenarios('PUT data_services, refused', [
  ...(
    [
      ['the area is unknown', 'ward', '/v1/areas/chu-nord-9/data_services', 404, 'area_not_found'],
      ['the area is hidden', 'ward', '/v1/areas/nice-02-A-1/data_services', 404, 'area_not_found'],
      ['services are not granted', 'bare', path, 403, 'not_granted'],
      ['there are none', 'everything', '/v1/areas/lyon-01-101/data_services', 403, 'room_services_unsupported'],
      ['a parameter is sent', 'ward', `${path}?force=1`, 400, 'parameter_unknown'],
      ['there is no token', undefined, path, 401, 'token_missing'],
    ] as const
  ).map(([when, as, target, status, code]) => {
    return { when, as, request: `PUT ${target}`, body: { data_services: [] }, status, code }
  }),
])

const contract = {
  type: 'object',
  required: ['code', 'bed'],
  properties: { code: {}, bed: { type: 'integer', minimum: 1 }, label: { type: 'string' } },
  unevaluatedProperties: false,
}
const grants = [{ facilities: ['h'], read: '*', write: '*', rooms: '*' }]
const hospital = {
  facilities: [{ id_external: 'h', name: 'H', room_services: true, areas: [{ id: '1', name: 'One' }] }],
  partners: [
    { id: 'strict', name: 'With a contract', contract, grants },
    { id: 'free', name: 'Without one', grants },
  ],
}

onEachEngine('PUT data_services under a contract', { estate: hospital }, (atrium) => {
  const services = '/v1/areas/h-1/data_services'
  const put = (as: string, items: object[]) => atrium().ask(`PUT ${services}`, { as, body: { data_services: items } })

  test('what is new or changed must match, and what stays need not', async () => {
    const { body } = await put('free', [{ code: 'tv' }])
    const kept: Service = body.services.data_services[0]
    const good = await put('strict', [kept, { code: 'wifi', bed: 1 }])
    assert.equal(good.status, 200)
    const all = good.body.services.data_services
    const refused: [object[], string][] = [
      [[...all, { code: 'x' }], '/data_services/2'],
      [[...all, { code: 'x', bed: 0 }], '/data_services/2/bed'],
      [[{ ...kept, label: 'TV' }], '/data_services/0'],
      [[all[0], { ...all[1], other: 1 }], '/data_services/1/other'],
    ]
    for (const [items, pointer] of refused) {
      const answer = await put('strict', items)
      assertProblem(answer, 400, 'item_invalid')
      assert.equal(answer.body.errors[0].pointer, pointer)
    }
    assert.equal((await put('strict', [kept, { ...all[1], bed: 3 }])).status, 200)
    assert.equal((await put('strict', [{ ...kept, label: 'TV', bed: 2 }])).status, 200)
  })
})
