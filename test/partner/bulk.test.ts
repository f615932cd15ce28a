import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allAfter, starts } from '../events/reading.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { dump } from '../harness/dump.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { areaOf, bulk, bulkAll, room } from './bulk-calls.ts'

const request = 'POST /v1/facilities/chu-nord/areas/bulk'
const neverWas = '0192f0c1-2d3e-7abc-8def-0123456789ab'
const open = (short: string, more: object = {}) => ({ op: 'open', area: room(short), ...more })
const close = (short: string, more: object = {}) => ({ op: 'close', area: room(short), ...more })
const add = (short: string, ...services: unknown[]) => ({ op: 'add_services', area: room(short), services })
const replace = (short: string, ...services: unknown[]) => ({ op: 'replace_services', area: room(short), services })
const codes = (area: { data_services: { code: string }[] }) => area.data_services.map(({ code }) => code)

onEachEngine('POST areas/bulk', {}, (atrium) => {
  test('the operations of one room run in order, and every result is that of the single call', async () => {
    const { results, said } = await bulk(atrium(), [
      close('214'),
      open('214'),
      add('214', { code: 'tv', end: '2999-01-02' }),
      add('214', { code: 'wifi' }),
      open('215'),
      replace('215', { code: 'minibar' }),
    ])
    assert.deepEqual(said, [200, 200, 200, 200, 200, 200])
    assert.deepEqual(
      results.map(({ area }) => [area.id_external, area.cycle !== null, codes(area)]),
      [
        [room('214'), false, []],
        [room('214'), true, []],
        [room('214'), true, ['tv']],
        [room('214'), true, ['tv', 'wifi']],
        [room('215'), true, []],
        [room('215'), true, ['minibar']],
      ],
    )
    assert.deepEqual(results[3]?.area, await areaOf(atrium(), '214'))
    assert.equal(results[3]?.area.data_services[0].end, '2999-01-02T23:00:00.000Z')
  })

  test('a failed operation has the problem of its single call, with pointers into this body', async () => {
    const { results } = await bulk(atrium(), [
      add('214', { code: 'tv' }, { code: ' ' }, { code: 'x', end: 'soon' }),
      add('215', 'tv'),
      replace('216', { id: neverWas, code: 'tv' }),
      { op: 'open', area: 'chu-nord-999' },
    ])
    const single = await atrium().ask(`POST /v1/areas/${room('214')}/data_services`, {
      as: 'ward',
      body: { value: '[{"code":"tv"},{"code":" "},{"code":"x","end":"soon"}]' },
    })
    const told = JSON.stringify(single.body).replaceAll('/value/', '/operations/0/services/')
    const { instance, request_id } = results[0]?.problem ?? {}
    assert.deepEqual(results[0]?.problem, { ...JSON.parse(told), instance, request_id })
    assert.deepEqual(
      results.slice(1).map(({ status, problem }) => [status, problem.code, problem.errors?.[0].pointer]),
      [
        [400, 'item_not_object', '/operations/1/services/0'],
        [404, 'service_not_found', '/operations/2/services/0/id'],
        [404, 'area_not_found', undefined],
      ],
    )
  })

  test('after a failure, later operations on that room are not attempted, and others are', async () => {
    const before = await areaOf(atrium(), '214')
    const { said } = await bulk(atrium(), [
      open('214', { cycle: neverWas }),
      add('214', { code: 'never' }),
      open('215'),
      close('214'),
      add('215', { code: 'tv' }),
    ])
    assert.deepEqual(said, ['cycle_ended', 'not_attempted', 200, 'not_attempted', 200])
    assert.deepEqual(await areaOf(atrium(), '214'), before)
  })

  test('a malformed operation fails by itself, and keeps later ones from its room', async () => {
    const { results, said } = await bulk(atrium(), [
      open('215'),
      null as unknown as object,
      { op: 'paint', area: room('214') },
      { op: 'open' },
      { op: 'close', area: 214 },
      open('214', { cycle: 'undefined' }),
      { op: 'add_services', area: room('214') },
      { op: 'replace_services', area: room('214'), services: '[]' },
      open('214', { services: [] }),
      { op: 'move', area: room('214') },
      close('214', { to: room('215') }),
      close('214'),
      close('216'),
    ])
    const pointers = results.map(({ problem }) => problem?.errors?.map(({ pointer }: { pointer: string }) => pointer))
    assert.deepEqual(said, [
      200,
      'body_invalid',
      'body_invalid',
      'body_invalid',
      'body_invalid',
      ...Array(7).fill('not_attempted'),
      200,
    ])
    const found = [['/operations/1'], ['/operations/2/op'], ['/operations/3/area'], ['/operations/4/area']]
    assert.deepEqual(pointers.slice(1, 5), found)
    const one = async (operation: object) => (await bulk(atrium(), [operation])).results[0]?.problem.errors[0].pointer
    assert.equal(await one(open('214', { cycle: 'undefined' })), '/operations/0/cycle')
    assert.equal(await one({ op: 'add_services', area: room('214') }), '/operations/0/services')
    assert.equal(await one({ op: 'move', area: room('214') }), '/operations/0/to')
    assert.equal(await one(close('214', { to: room('215') })), '/operations/0/to')
  })

  test('a cycle of null means that the room must be closed', async () => {
    await bulk(atrium(), [close('214')])
    const arrival = [open('214', { cycle: null }), add('214', { code: 'tv' })]
    assert.deepEqual((await bulk(atrium(), arrival)).said, [200, 200])
    const before = await areaOf(atrium(), '214')
    assert.deepEqual((await bulk(atrium(), arrival)).said, ['room_occupied', 'not_attempted'])
    assert.deepEqual(await areaOf(atrium(), '214'), before)
  })

  test('a cycle is compared as in the header Atrium-Cycle', async () => {
    const { results } = await bulk(atrium(), [open('214')])
    const cycle = results[0]?.area.cycle
    assert.deepEqual((await bulk(atrium(), [close('214', { cycle: cycle.toUpperCase() })])).said, [200])
    assert.deepEqual((await bulk(atrium(), [close('214', { cycle })])).said, ['cycle_ended'])
  })

  test('all: one failure leaves everything as it was', async () => {
    await bulk(atrium(), [open('214'), add('214', { code: 'tv' })])
    const before = await dump(atrium().service.db)
    const failing: [object, string][] = [
      [close('216', { cycle: neverWas }), 'cycle_ended'],
      [add('216', { code: '' }), 'item_invalid'],
      [{ op: 'close', area: 'chu-nord-999' }, 'area_not_found'],
      [replace('216', { id: neverWas, code: 'tv' }), 'service_not_found'],
    ]
    for (const [failure, code] of failing) {
      const { said } = await bulkAll(atrium(), [close('214'), open('215'), failure, open('216')])
      assert.deepEqual(said, ['not_attempted', 'not_attempted', code, 'not_attempted'])
      assert.equal(await dump(atrium().service.db), before)
    }
  })

  test('all: hundreds of operations succeed together', async () => {
    const operations = [open('214'), ...Array.from({ length: 199 }, (_, n) => add('214', { code: `s-${n}` }))]
    const { said, results } = await bulkAll(atrium(), operations)
    assert.deepEqual(new Set(said), new Set([200]))
    assert.deepEqual(
      codes(results.at(-1)?.area),
      Array.from({ length: 199 }, (_, n) => `s-${n}`),
    )
    assert.deepEqual(results.at(-1)?.area, await areaOf(atrium(), '214'))
  })

  test('each operation needs the grant of its single call', async () => {
    const asked = { as: 'hotelier', facility: 'nice-02' }
    const operations = [
      { op: 'open', area: 'nice-02-A-1' },
      { op: 'add_services', area: 'nice-02-A-1', services: [{ code: '' }] },
    ]
    const { results } = await bulk(atrium(), operations, asked)
    const single = await atrium().ask('POST /v1/areas/nice-02-A-1/data_services', { as: 'hotelier' })
    const { instance, request_id } = results[1]?.problem ?? {}
    assert.deepEqual(results[1], { status: 403, problem: { ...single.body, instance, request_id } })
    assert.equal(results[0]?.status, 200)
    assert.deepEqual((await bulkAll(atrium(), operations, asked)).said, ['not_attempted', 'not_granted'])
    const bare = await bulk(atrium(), [open('214'), close('215')], { as: 'bare' })
    assert.deepEqual(bare.said, ['not_granted', 'not_granted'])
    const hotel = [{ op: 'add_services', area: 'lyon-01-2', services: [] }]
    assert.deepEqual((await bulk(atrium(), hotel, { as: 'everything', facility: 'lyon-01' })).said, [
      'room_services_unsupported',
    ])
  })

  test('rooms of other facilities are not found, visible or not', async () => {
    const elsewhere = ['lyon-01-2', 'nice-02-A-1', 'chu-nord-999', '\u0001'].map((area) => ({ op: 'open', area }))
    for (const as of ['ward', 'everything']) {
      const { said } = await bulk(atrium(), elsewhere, { as })
      assert.deepEqual(new Set(said), new Set(['area_not_found']))
    }
    const { results } = await bulk(atrium(), elsewhere)
    const [hidden, , absent] = results
    assert.deepEqual(hidden, absent)
  })

  test('each operation has its audit entry and its event, in order for each room', async () => {
    await bulk(atrium(), [close('214'), close('215')])
    const from = (await starts(atrium(), ['ward'])).get('ward') ?? ''
    await bulkAll(atrium(), [open('214'), add('214', { code: 'tv' }), open('215'), close('215'), close('214')])
    await bulk(atrium(), [open('215'), add('215', { code: 'a' }), replace('215', { code: 'b' })])
    const events = await allAfter(atrium(), 'ward', from)
    const ofRoom = (short: string) => events.filter(({ area }) => area === room(short)).map(({ type }) => type)
    assert.deepEqual(ofRoom('214'), ['area.opened', 'services.added', 'area.closed'])
    assert.deepEqual(ofRoom('215'), [
      'area.opened',
      'area.closed',
      'area.opened',
      'services.added',
      'service.deleted',
      'services.added',
    ])
  })

  test('unknown members are ignored', async () => {
    const body = { mode: 'each', operations: [open('214', { note: 1, mode: 'all' })], dry_run: true }
    assert.deepEqual((await bulk(atrium(), [], { body })).said, [200])
  })
})

onEachEngine('POST areas/bulk and the rate limit', { settings: { ATRIUM_RATE_LIMIT: '1/s burst 100' } }, (atrium) => {
  test('a call costs its operations, at most a tenth of the burst, and nothing runs when that is too much', async () => {
    const left = async (count: number) => {
      const { headers } = await bulk(atrium(), Array(count).fill(close('216')), { as: 'everything' })
      return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    }
    const first = await left(1)
    const third = first - (await left(3))
    const tenth = first - third - (await left(40))
    assert.ok(third >= 2 && third <= 3, `3 operations cost ${third}`)
    assert.ok(tenth >= 9 && tenth <= 10, `40 operations cost ${tenth}`)
    const body = { mode: 'each', operations: Array(10).fill(close('215', { cycle: neverWas })) }
    const before = (await areaOf(atrium(), '215')).cycle
    let answer = await atrium().ask(request, { as: 'ward', body })
    while (answer.status === 200) answer = await atrium().ask(request, { as: 'ward', body })
    assertProblem(answer, 429, 'rate_limited')
    assert.match(answer.body.detail, /This call costs 10\.$/)
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    assert.equal((await areaOf(atrium(), '215')).cycle, before)
  })
})
