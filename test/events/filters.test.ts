import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { playground } from '../sandbox/fixture.ts'
import { allAfter, openStream, page, starts } from './reading.ts'

onEachEngine('filters of events', {}, (atrium) => {
  const from = async (as: string) => (await starts(atrium(), [as])).get(as) ?? ''
  const rename = (facility: string, value: string) =>
    atrium().ask(`PATCH /v1/facilities/${facility}/name`, { as: 'everything', body: { value } })
  const turn = (method: 'POST' | 'DELETE', room: string) =>
    atrium().ask(`${method} /v1/areas/${room}/`, { as: 'everything' })
  const summaryOf = ({ type, facility }: { type: string; facility: string }) => `${type} ${facility}`

  test('types and facility combine, and leave out the rest', async () => {
    const after = await from('everything')
    await rename('lyon-01', 'One')
    await turn('POST', 'chu-nord-214')
    await turn('POST', 'nice-02-A-1')
    await turn('DELETE', 'chu-nord-214')
    const seen = async (query: string) => (await allAfter(atrium(), 'everything', after, query)).map(summaryOf)
    assert.deepEqual(await seen('&types=area.opened'), ['area.opened chu-nord', 'area.opened nice-02'])
    assert.deepEqual(await seen('&facility=chu-nord'), ['area.opened chu-nord', 'area.closed chu-nord'])
    assert.deepEqual(await seen('&types=area.opened,area.closed&facility=nice-02'), ['area.opened nice-02'])
    assert.deepEqual(await seen('&types=facility.updated&facility=chu-nord'), [])
    assert.deepEqual(await seen('&types=area.opened&own=false'), [])
    assert.deepEqual((await seen('&types=area.opened&limit=1')).length, 2)
  })

  test('a cursor goes on with another filter', async () => {
    const after = await from('everything')
    await rename('lyon-01', 'Two')
    const { data, next } = await page(atrium(), 'everything', `?after=${after}&types=area.opened&wait=0`)
    assert.deepEqual(data, [])
    await rename('lyon-01', 'Three')
    assert.deepEqual(
      (await allAfter(atrium(), 'everything', next, '&types=facility.updated')).map((event) => event.data.new),
      ['Three'],
    )
    assert.equal((await allAfter(atrium(), 'everything', after, '&types=facility.updated')).length, 2)
  })

  test('a long poll and a stream wait for what matches', async () => {
    const after = await from('everything')
    const waiting = page(atrium(), 'everything', `?after=${after}&wait=30&types=area.opened&facility=chu-nord`)
    const stream = await openStream(atrium(), 'everything', {}, '?types=area.opened&facility=chu-nord')
    await rename('chu-nord', 'Nord')
    await turn('POST', 'nice-02-A-1')
    await turn('POST', 'chu-nord-215')
    assert.deepEqual((await waiting).data.map(summaryOf), ['area.opened chu-nord'])
    assert.equal(summaryOf(await stream.next()), 'area.opened chu-nord')
    stream.leave()
  })

  test('a facility that is hidden is refused like one that does not exist', async () => {
    const answers = ['lyon-01', 'nowhere'].map((facility) =>
      atrium().ask(`GET /v1/events?facility=${facility}`, { as: 'ward', headers: { 'x-request-id': 'same' } }),
    )
    const [hidden, absent] = await Promise.all(answers)
    assert.ok(hidden && absent)
    assertProblem(hidden, 400, 'parameter_invalid')
    assert.equal(hidden.text, absent.text)
    const gone = await atrium().ask('GET /v1/events?facility=nowhere', { as: 'everything' })
    assertProblem(gone, 400, 'parameter_invalid')
  })

  for (const query of ['types=', 'types=area.open', 'types=area.opened,', 'types=*', 'facility=', 'facility=a%20b']) {
    test(`?${query} is refused`, async () => {
      assertProblem(await atrium().ask(`GET /v1/events?${query}`, { as: 'everything' }), 400, 'parameter_invalid')
    })
  }

  test('in a sandbox they filter its own copies', async () => {
    const play = await playground(atrium(), 'everything', ['chu-nord', 'nice-02'])
    const copy = play.copy('chu-nord')
    const after = await play.cursor()
    await play.done(`POST /v1/areas/${copy}-214/`)
    await play.done(`POST /v1/areas/${play.copy('nice-02')}-A-1/`)
    const data = await play.eventsAfter(`${after}&facility=${copy}&types=area.opened`)
    assert.deepEqual(
      data.map(({ facility }) => facility),
      [copy],
    )
    assertProblem(await play.ask('GET /v1/events?facility=chu-nord'), 400, 'parameter_invalid')
    assert.equal((await play.done(`GET /v1/facilities/${copy}/areas?open=true&q=${copy}-214`)).length, 1)
    assert.equal((await play.done('GET /v1/facilities/?type=hospital')).length, 1)
  })
})
