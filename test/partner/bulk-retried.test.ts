import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { dump } from '../harness/dump.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { areaOf, bulk, room } from './bulk-calls.ts'

const request = 'POST /v1/facilities/chu-nord/areas/bulk'
const key = (name: string) => ({ headers: { 'idempotency-key': name } })
const open = (short: string, more: object = {}) => ({ op: 'open', area: room(short), ...more })
const add = (short: string, ...services: object[]) => ({ op: 'add_services', area: room(short), services })
const arrivals = [open('214'), add('214', { code: 'tv' }), open('215'), add('215', { code: 'wifi' })]
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed')

async function openedElsewhere({ ask }: TestAtrium, short: string) {
  assert.equal((await ask(`POST /v1/areas/${room(short)}`, { as: 'ward' })).status, 200)
}

onEachEngine('POST areas/bulk with an Idempotency-Key', {}, (atrium) => {
  for (const mode of ['each', 'all']) {
    const called = (name: string) => ({ mode, ...key(`${mode} ${name}`) })

    test(`${mode}: a retry returns the first results again and changes nothing`, async () => {
      const first = await bulk(atrium(), arrivals, called('again'))
      const before = await dump(atrium().service.db)
      const again = await bulk(atrium(), arrivals, called('again'))
      assert.deepEqual([first.said, again.text], [[200, 200, 200, 200], first.text])
      assert.deepEqual([replayed(first), replayed(again)], [null, 'true'])
      assert.equal(await dump(atrium().service.db), before)
    })

    test(`${mode}: the results of a room that changed hands within the call show its new guest`, async () => {
      const turnover = [add('214', { code: 'of-the-last-guest' }), { op: 'close', area: room('214') }, ...arrivals]
      const first = await bulk(atrium(), turnover, called('turnover'))
      const again = await bulk(atrium(), turnover, called('turnover'))
      assert.deepEqual([again.said, replayed(again)], [first.said, 'true'])
      assert.ok(!again.text.includes('of-the-last-guest'))
      assert.deepEqual(again.results.slice(2), first.results.slice(2))
      assert.ok(!(await dump(atrium().service.db)).includes('of-the-last-guest'))
    })

    test(`${mode}: another body is refused as a whole`, async () => {
      await bulk(atrium(), arrivals, called('other body'))
      const before = await dump(atrium().service.db)
      const body = { mode, operations: [open('216'), ...arrivals.slice(1)] }
      const answer = await atrium().ask(request, { as: 'ward', body, ...key(`${mode} other body`) })
      assertProblem(answer, 422, 'idempotency_key_reused')
      assert.equal(await dump(atrium().service.db), before)
    })

    test(`${mode}: a retry never reaches the next guest`, async () => {
      await bulk(atrium(), arrivals, called('late'))
      await openedElsewhere(atrium(), '214')
      const before = await dump(atrium().service.db)
      const late = await bulk(atrium(), arrivals, called('late'))
      assert.deepEqual(late.said, ['cycle_ended', 'not_attempted', 200, 200])
      assert.deepEqual(
        late.results.map(({ status }) => status),
        [409, 424, 200, 200],
      )
      assert.equal(await dump(atrium().service.db), before)
    })
  }

  test('all: a retry when every room changed hands is refused as a whole', async () => {
    await bulk(atrium(), arrivals, { mode: 'all', ...key('all ended') })
    for (const short of ['214', '215']) await openedElsewhere(atrium(), short)
    const before = await dump(atrium().service.db)
    for (const operations of [arrivals, [...arrivals, open('216')]]) {
      const answer = await atrium().ask(request, { as: 'ward', body: { mode: 'all', operations }, ...key('all ended') })
      assertProblem(answer, 409, 'cycle_ended')
    }
    assert.equal(await dump(atrium().service.db), before)
  })

  for (const mode of ['each', 'all']) {
    const move = { op: 'move', area: room('214'), to: room('215') }
    const called = (name: string) => ({ mode, ...key(`${mode} ${name}`) })
    const emptied = () =>
      bulk(
        atrium(),
        ['214', '215'].map((short) => ({ op: 'close', area: room(short) })),
      )

    test(`${mode}: a retry fails where the first call has failed, and changes nothing`, async () => {
      await emptied()
      const operations = [open('216'), move, { op: 'open', area: 'chu-nord-999' }, { op: 'paint' }]
      const first = await bulk(atrium(), operations, called('failed'))
      assert.ok(first.said.some((said) => typeof said === 'string'))
      const before = await dump(atrium().service.db)
      const again = await bulk(atrium(), operations, called('failed'))
      assert.deepEqual([again.said, replayed(again)], [first.said, 'true'])
      const details = ({ results }: typeof first) => results.map(({ problem }) => problem?.detail)
      assert.deepEqual(details(again), details(first))
      assert.equal(await dump(atrium().service.db), before)
    })

    test(`${mode}: a retry of what has failed never reaches the next guest`, async () => {
      await emptied()
      assert.deepEqual((await bulk(atrium(), [move], called('no guest'))).said, ['room_not_open'])
      await openedElsewhere(atrium(), '214')
      const before = await dump(atrium().service.db)
      const ask = { as: 'ward', body: { mode, operations: [move] }, ...called('no guest') }
      const late = await atrium().ask(request, ask)
      assert.match(late.text, /"cycle_ended"/)
      assert.equal(await dump(atrium().service.db), before)
    })
  }

  test('each: a retry does only what failed before', async () => {
    await openedElsewhere(atrium(), '214')
    const { cycle } = await areaOf(atrium(), '214')
    const late = { op: 'replace_services', area: room('214'), services: [{ id: 'later', code: 'tv' }] }
    const operations = [open('215'), late, open('216')]
    const first = await bulk(atrium(), operations, key('rest'))
    assert.deepEqual(first.said, [200, 'service_not_found', 200])
    const again = await bulk(atrium(), operations, key('rest'))
    assert.deepEqual([again.said, replayed(again)], [first.said, 'true'])
    assert.deepEqual([again.results[0], again.results[2]], [first.results[0], first.results[2]])
    assert.equal((await areaOf(atrium(), '214')).cycle, cycle)
  })

  test('a key is refused while its first call runs', async () => {
    const operations = Array.from({ length: 300 }, (_, n) => add('216', { code: `s-${n}` }))
    const asked = { as: 'ward', body: { mode: 'each', operations }, ...key('twins') }
    const statuses = await Promise.all([1, 2].map(async () => (await atrium().ask(request, asked)).status))
    assert.deepEqual(statuses.toSorted(), [200, 409])
  })

  test('a key belongs to the facility, and the single calls have keys of their own', async () => {
    const everywhere = { as: 'everything', ...key('shared') }
    const one = await bulk(atrium(), [open('214')], everywhere)
    const other = { op: 'open', area: 'lyon-01-2' }
    const two = await bulk(atrium(), [other], { ...everywhere, facility: 'lyon-01' })
    const single = await atrium().ask(`POST /v1/areas/${room('215')}`, everywhere)
    assert.deepEqual([one.said, two.said, single.status], [[200], [200], 200])
  })
})
