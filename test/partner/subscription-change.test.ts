import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answered, type Asked, onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { dump } from '../harness/dump.ts'
import { assertProblem, scenarios } from '../harness/scenarios.ts'

const room = '/v1/areas/chu-nord-214'
const path = `${room}/data_services`
const tv = {
  code: 'tv',
  label: 'TV',
  status: 'active',
  end: '2999-01-02T10:00:00Z',
  channels: 120,
  pin: { a: 1, b: 2 },
}

const ask = (atrium: TestAtrium, request: string, rest: Asked = {}) => atrium.ask(request, { as: 'ward', ...rest })
async function fill(atrium: TestAtrium, ...items: object[]) {
  await ask(atrium, `POST ${room}`)
  const answer = await ask(atrium, `POST ${path}`, { body: { value: JSON.stringify(items) } })
  return answer.body.services.data_services as { id: string }[]
}
async function stay(atrium: TestAtrium) {
  const [, { id } = { id: '' }] = await fill(atrium, { code: 'first' }, tv, { code: 'last' })
  return { id, one: `${path}/${id}` }
}

interface Row {
  when: string
  patch: object
  /** What changes in the subscription. Undefined removes a field. */
  changes: object
}

const rows: Row[] = [
  { when: 'an end', patch: { end: '2999-01-04' }, changes: { end: '2999-01-04T23:00:00.000Z' } },
  {
    when: 'an end without an offset',
    patch: { end: '2999-07-04T12:00:00' },
    changes: { end: '2999-07-04T10:00:00.000Z' },
  },
  { when: 'a start', patch: { start: 1794731400 }, changes: { start: '2026-11-15T08:30:00.000Z' } },
  { when: 'a status', patch: { status: 'paused' }, changes: { status: 'paused' } },
  { when: 'null removes a label and an end', patch: { label: null, end: null }, changes: { label: null, end: null } },
  { when: 'an own field', patch: { channels: 7 }, changes: { channels: 7 } },
  { when: 'an own field named value', patch: { value: '{"end":null}' }, changes: { value: '{"end":null}' } },
  { when: 'a new own field', patch: { wheelchair: true }, changes: { wheelchair: true } },
  { when: 'null removes an own field', patch: { channels: null }, changes: { channels: undefined } },
  { when: 'nested fields are merged', patch: { pin: { b: null, c: 3 } }, changes: { pin: { a: 1, c: 3 } } },
  { when: 'an array is replaced', patch: { pin: [1] }, changes: { pin: [1] } },
  { when: 'the same code and label again', patch: { code: 'tv', label: 'TV 2' }, changes: { label: 'TV 2' } },
  { when: 'names of prototypes', patch: { toString: 'x', constructor: 1 }, changes: { toString: 'x', constructor: 1 } },
]

onEachEngine('PATCH data_services/{id} changes', {}, (atrium) => {
  for (const { when, patch, changes } of rows) {
    test(when, async () => {
      const { id, one } = await stay(atrium())
      const before = (await ask(atrium(), `GET ${path}`)).body.data_services
      const { status, body, headers } = await ask(atrium(), `PATCH ${one}`, { body: patch })
      assert.equal(status, 200)
      assert.deepEqual([body.id, body.info], [id, 'The service in room chu-nord-214 was changed.'])
      const expected = before.with(1, JSON.parse(JSON.stringify({ ...before[1], ...changes })))
      assert.deepEqual(body.services.data_services, expected)
      const area = await ask(atrium(), `GET ${room}`)
      assert.deepEqual(area.body.data_services, expected)
      assert.equal(area.headers.get('etag'), headers.get('etag'))
    })
  }

  const unchanged = [
    {},
    { label: 'TV' },
    { end: '2999-01-02T11:00:00+01:00' },
    { channels: 120, pin: { b: 2, a: 1 } },
    { absent: null },
  ]
  for (const patch of unchanged) {
    test(`nothing: ${JSON.stringify(patch)} is written nowhere`, async () => {
      const { one } = await stay(atrium())
      const before = await dump(atrium().service.db)
      const { etag } = Object.fromEntries((await ask(atrium(), `GET ${room}`)).headers)
      const { status, body, headers } = await ask(atrium(), `PATCH ${one}`, { body: patch })
      assert.equal(status, 200)
      assert.equal(body.info, 'The service in room chu-nord-214 was not changed.')
      assert.equal(headers.get('etag'), etag)
      assert.equal(await dump(atrium().service.db), before)
    })
  }

  test('the media type of a merge patch is accepted, and of others none', async () => {
    const { one } = await stay(atrium())
    const send = (type: string) =>
      ask(atrium(), `PATCH ${one}`, { body: { label: type }, headers: { 'content-type': type } })
    assert.equal((await send('application/merge-patch+json; charset=utf-8')).status, 200)
    for (const type of ['application/json-patch+json', 'text/plain', 'application/merge-patch+json; charset=latin1']) {
      assertProblem(await send(type), 415, 'body_type_unsupported')
    }
    assert.match((await send('text/plain')).body.detail, /json" or "application.merge-patch/)
    const elsewhere = await atrium().ask('PATCH /v1/facilities/lyon-01/name', {
      as: 'everything',
      body: { value: 'x' },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    assertProblem(elsewhere, 415, 'body_type_unsupported')
  })

  test('If-Match and Atrium-Cycle hold as for other changes of services', async () => {
    const { one } = await stay(atrium())
    const area = await ask(atrium(), `GET ${room}`)
    const list = await ask(atrium(), `GET ${path}`)
    const patch = (label: string, headers: Record<string, string>) =>
      ask(atrium(), `PATCH ${one}`, { body: { label }, headers })
    const etags = [area, list].map(({ headers }) => headers.get('etag') ?? '')
    const first = await patch('a', { 'if-match': etags[1] ?? '', 'atrium-cycle': area.body.cycle })
    assert.equal(first.status, 200)
    for (const etag of etags) assertProblem(await patch('b', { 'if-match': etag }), 412, 'precondition_failed')
    assert.equal((await patch('b', { 'if-match': first.headers.get('etag') ?? '' })).status, 200)
    await ask(atrium(), `POST ${room}`)
    assertProblem(await patch('c', { 'atrium-cycle': area.body.cycle }), 412, 'cycle_ended')
    assertProblem(await patch('c', { 'atrium-cycle': 'undefined' }), 400, 'header_invalid')
    assertProblem(await patch('c', {}), 404, 'service_not_found')
  })

  test('refusals name the field and change nothing', async () => {
    const { one } = await stay(atrium())
    const before = await dump(atrium().service.db)
    const refused: [object | string, string, string?][] = [
      [{ id: 'x' }, 'item_invalid', '/id'],
      [{ id: null }, 'item_invalid', '/id'],
      [{ code: 'net' }, 'item_invalid', '/code'],
      [{ code: null }, 'item_invalid', '/code'],
      [{ label: 7 }, 'item_invalid', '/label'],
      [{ status: [] }, 'item_invalid', '/status'],
      [{ end: 'tomorrow' }, 'item_invalid', '/end'],
      [{ start: '2999-01-02T10:00:00Z' }, 'item_invalid', '/end'],
      [{ note: 'x'.repeat(17_000) }, 'item_invalid', ''],
      ['{"n": 12345678901234567890}', 'item_invalid', ''],
      ['[]', 'body_invalid', ''],
      ['"x"', 'body_invalid', ''],
      ['{"a"', 'body_not_json'],
      ['{"__proto__": 1}', 'key_forbidden'],
      ['{"label": "\\u0000"}', 'text_forbidden'],
    ]
    for (const [body, code, pointer] of refused) {
      const answer = await ask(atrium(), `PATCH ${one}`, { body })
      assertProblem(answer, 400, code)
      if (pointer !== undefined) assert.equal(answer.body.errors[0].pointer, pointer, JSON.stringify(body))
    }
    assert.equal(await dump(atrium().service.db), before)
  })
})

scenarios('PATCH data_services/{id}, refused', [
  ...(
    [
      ['the id is unknown', 'ward', `${path}/nothing`, 404, 'service_not_found'],
      ['the area is unknown', 'ward', '/v1/areas/chu-nord-9/data_services/x', 404, 'area_not_found'],
      ['the area is hidden', 'ward', '/v1/areas/nice-02-A-1/data_services/x', 404, 'area_not_found'],
      ['services are not granted', 'bare', `${path}/x`, 403, 'not_granted'],
      ['there are none', 'everything', '/v1/areas/lyon-01-101/data_services/x', 403, 'room_services_unsupported'],
      ['a parameter is sent', 'ward', `${path}/x?force=1`, 400, 'parameter_unknown'],
      ['there is no token', undefined, `${path}/x`, 401, 'token_missing'],
    ] as const
  ).map(([when, as, target, status, code]) => {
    return { when, as, request: `PATCH ${target}`, body: { label: 'x' }, status, code }
  }),
])

/** Forbids what it does not name, `status` included, and requires a bed. */
const contract = {
  type: 'object',
  required: ['code', 'bed'],
  properties: { code: {}, bed: { type: 'integer', minimum: 1 }, label: { type: 'string' }, end: { type: 'string' } },
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

onEachEngine('PATCH data_services/{id} under a contract', { estate: hospital }, (atrium) => {
  const services = '/v1/areas/h-1/data_services'
  const add = async (as: string, item: object): Promise<string> => {
    const { body } = await atrium().ask(`POST ${services}`, { as, body: { value: JSON.stringify([item]) } })
    return body.services.data_services.at(-1).id
  }
  const patch = (as: string, id: string, body: object): Promise<Answered> =>
    atrium().ask(`PATCH ${services}/${id}`, { as, body })

  test('the result as a whole must match', async () => {
    const id = await add('strict', { code: 'tv', bed: 1 })
    assert.equal((await patch('strict', id, { bed: 2, end: '2999-01-01' })).status, 200)
    assert.equal((await patch('strict', id, { label: 'TV', end: null })).status, 200)
    for (const [body, pointer] of [
      [{ bed: 0 }, '/bed'],
      [{ bed: null }, ''],
      [{ other: 1 }, '/other'],
      [{ status: 'active', bed: 3 }, '/status'],
    ] as const) {
      const answer = await patch('strict', id, body)
      assertProblem(answer, 400, 'item_invalid')
      assert.equal(answer.body.errors[0].pointer, pointer)
    }
    assert.equal((await patch('free', id, { other: 1 })).status, 200)
  })

  test("what another partner's contract allowed can be left as it is", async () => {
    const id = await add('free', { code: 'tv' })
    assert.equal((await patch('strict', id, { label: null })).status, 200)
    assertProblem(await patch('strict', id, { label: 'TV' }), 400, 'item_invalid')
    assert.equal((await patch('strict', id, { label: 'TV', bed: 1 })).status, 200)
  })
})
