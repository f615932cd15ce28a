import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answered, type Asked, onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { dump } from '../harness/dump.ts'
import { assertProblem, scenarios } from '../harness/scenarios.ts'

const from = '/v1/areas/chu-nord-214'
const to = '/v1/areas/chu-nord-215'
const neverWas = '0192f0c1-2d3e-7abc-8def-0123456789ab'
const move = `POST ${from}/move`

const ask = (atrium: TestAtrium, request: string, rest: Asked = {}) => atrium.ask(request, { as: 'ward', ...rest })
const moveTo = (atrium: TestAtrium, short: string, headers: Record<string, string> = {}): Promise<Answered> =>
  ask(atrium, move, { body: { to: `chu-nord-${short}` }, headers })
const add = (atrium: TestAtrium, room: string, ...items: object[]) =>
  ask(atrium, `POST ${room}/data_services`, { body: { value: JSON.stringify(items) } })

/** A guest with two services in 214, and 215 closed, with a service for its next guest. Returns the area 214. */
async function stay(atrium: TestAtrium) {
  for (const short of ['215', '216']) await ask(atrium, `DELETE /v1/areas/chu-nord-${short}`)
  await ask(atrium, `POST ${from}`)
  await add(atrium, from, { code: 'tv', end: '2999-01-02' }, { code: 'wifi', note: { a: [1] } })
  await add(atrium, to, { code: 'laid-out' })
  return (await ask(atrium, `GET ${from}`)).body
}

onEachEngine('POST areas/{id}/move', {}, (atrium) => {
  test('cycle, opening time and services move, and the first room is closed and empty', async () => {
    const before = await stay(atrium())
    const { status, body, headers } = await moveTo(atrium(), '215')
    assert.equal(status, 200)
    assert.equal(body.info, 'The guest of room chu-nord-214 moved to room chu-nord-215.')
    const { cycle, opened_at, data_services } = before
    const { date_updated } = body.to.area
    assert.deepEqual(body.from.area, { ...before, date_updated, cycle: null, opened_at: null, data_services: [] })
    const shown = await ask(atrium(), `GET ${from}`)
    assert.deepEqual([shown.body, shown.headers.get('etag')], [body.from.area, headers.get('etag')])
    const taken = (await ask(atrium(), `GET ${to}`)).body
    assert.deepEqual(body.to.area, taken)
    assert.deepEqual([taken.cycle, taken.opened_at, taken.data_services], [cycle, opened_at, data_services])
    assert.equal(taken.name, 'Room 215')
    assert.ok(date_updated > before.date_updated)
    const list = (await atrium().ask('GET /v1/facilities/chu-nord/areas', { as: 'ward' })).body
    assert.deepEqual(list.slice(0, 2), [body.from.area, body.to.area])
  })

  test('the guest can move on, and back', async () => {
    const { cycle, data_services } = await stay(atrium())
    assert.equal((await moveTo(atrium(), '216')).status, 200)
    const back = await ask(atrium(), 'POST /v1/areas/chu-nord-216/move', { body: { to: 'chu-nord-214' } })
    assert.deepEqual([back.body.to.area.cycle, back.body.to.area.data_services], [cycle, data_services])
  })

  test('with a key it happens once, until the guest leaves the new room', async () => {
    await stay(atrium())
    const key = { 'idempotency-key': 'move-1' }
    const first = await moveTo(atrium(), '215', key)
    const before = await dump(atrium().service.db)
    const again = await moveTo(atrium(), '215', key)
    assert.deepEqual([again.text, again.headers.get('etag')], [first.text, first.headers.get('etag')])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assertProblem(await moveTo(atrium(), '216', key), 422, 'idempotency_key_reused')
    assert.equal(await dump(atrium().service.db), before)
    await ask(atrium(), `POST ${from}`)
    assert.equal((await moveTo(atrium(), '215', key)).text, first.text)
    await ask(atrium(), `DELETE ${to}`)
    assertProblem(await moveTo(atrium(), '215', key), 409, 'cycle_ended')
  })

  test('keys that were used for either room before are ended', async () => {
    await stay(atrium())
    const post = (room: string) =>
      ask(atrium(), `POST ${room}/data_services`, {
        body: { value: '[{"code":"x"}]' },
        headers: { 'idempotency-key': 'before' },
      })
    for (const room of [from, to]) assert.equal((await post(room)).status, 200)
    assert.equal((await moveTo(atrium(), '215')).status, 200)
    for (const room of [from, to]) assertProblem(await post(room), 409, 'cycle_ended')
  })

  test('If-Match and Atrium-Cycle are about the room that the guest leaves', async () => {
    const { cycle } = await stay(atrium())
    const etagOf = async (room: string) => (await ask(atrium(), `GET ${room}`)).headers.get('etag') ?? ''
    assertProblem(await moveTo(atrium(), '215', { 'if-match': await etagOf(to) }), 412, 'precondition_failed')
    assertProblem(await moveTo(atrium(), '215', { 'atrium-cycle': neverWas }), 412, 'cycle_ended')
    assertProblem(await moveTo(atrium(), '215', { 'atrium-cycle': 'x' }), 400, 'header_invalid')
    const headers = { 'if-match': await etagOf(from), 'atrium-cycle': cycle }
    assert.equal((await moveTo(atrium(), '215', headers)).status, 200)
  })

  test('the cycle goes on in the new room', async () => {
    const { cycle } = await stay(atrium())
    await moveTo(atrium(), '215')
    const headers = { 'atrium-cycle': cycle }
    const patched = await ask(atrium(), `PUT ${to}/data_services`, { body: { data_services: [] }, headers })
    assert.equal(patched.status, 200)
    assert.equal((await ask(atrium(), `DELETE ${to}`, { headers })).status, 200)
  })

  test('a room that is closed, occupied or in another facility is refused, and nothing changes', async () => {
    await stay(atrium())
    await ask(atrium(), 'POST /v1/areas/chu-nord-216')
    const before = await dump(atrium().service.db)
    assertProblem(await moveTo(atrium(), '216'), 409, 'room_occupied')
    assertProblem(await moveTo(atrium(), '214'), 409, 'room_occupied')
    const closed = await ask(atrium(), `POST ${to}/move`, { body: { to: 'chu-nord-214' } })
    assertProblem(closed, 409, 'room_not_open')
    const same = await ask(atrium(), `POST ${to}/move`, { body: { to: 'chu-nord-215' } })
    assertProblem(same, 409, 'room_not_open')
    for (const [as, elsewhere] of [
      ['ward', 'chu-nord-9'],
      ['ward', 'nice-02-A-1'],
      ['ward', ''],
      ['everything', 'nice-02-A-1'],
    ] as const) {
      const { status, body } = await atrium().ask(move, { as, body: { to: elsewhere } })
      assert.deepEqual([status, body.code], [404, 'area_not_found'])
      const detail = 'There is no area with this id in the facility of the room.'
      assert.deepEqual(body.errors, [{ pointer: '/to', detail }])
    }
    assert.equal(await dump(atrium().service.db), before)
  })

  test('guests who swap their rooms at once do not wait for each other', async () => {
    await stay(atrium())
    for (let round = 0; round < 5; round++) {
      const moves = await Promise.all([
        moveTo(atrium(), '215'),
        ask(atrium(), `POST ${to}/move`, { body: { to: 'chu-nord-214' } }),
        moveTo(atrium(), '216'),
      ])
      const open = await Promise.all(
        ['214', '215', '216'].map((short) => ask(atrium(), `GET /v1/areas/chu-nord-${short}`)),
      )
      assert.equal(open.filter(({ body }) => body.cycle !== null).length, 1)
      assert.ok(moves.every(({ status }) => status === 200 || status === 409))
      await stay(atrium())
    }
  })
})

scenarios('POST areas/{id}/move, refused', [
  ...(
    [
      ['the area is unknown', 'ward', '/v1/areas/chu-nord-9/move', 404, 'area_not_found'],
      ['the area is hidden', 'ward', '/v1/areas/nice-02-A-1/move', 404, 'area_not_found'],
      ['rooms are not granted', 'bare', `${from}/move`, 403, 'not_granted'],
      ['there are no services', 'everything', '/v1/areas/lyon-01-101/move', 403, 'room_services_unsupported'],
      ['a parameter is sent', 'ward', `${from}/move?force=1`, 400, 'parameter_unknown'],
      ['there is no token', undefined, `${from}/move`, 401, 'token_missing'],
    ] as const
  ).map(([when, as, target, status, code]) => {
    return { when, as, request: `POST ${target}`, body: { to: 'chu-nord-215' }, status, code }
  }),
  ...(
    [
      ['the body is a list', []],
      ['there is no "to"', {}],
      ['"to" is no string', { to: 215 }],
    ] as const
  ).map(([when, body]) => ({ when, as: 'ward' as const, request: move, body, status: 400, code: 'body_invalid' })),
])
