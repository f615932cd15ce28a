import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { removeSandbox } from '../../src/operations/cms/sandbox.ts'
import { onNodes } from '../cache/nodes.ts'
import { estate } from '../harness/estate.ts'
import { inHours, type Playground, playground, services } from './fixture.ts'

onNodes('a sandbox and several nodes', estate, (nodes) => {
  let play: Playground
  before(async () => {
    play = await playground(nodes().a, 'everything', ['chu-nord', 'lyon-01'])
  })
  const room = () => `/v1/areas/${play.copy('chu-nord')}-214`

  test('a clock that was moved on one node holds for the next request on every other', async () => {
    const { a, b, bare } = nodes()
    await play.done(`POST ${room()}`)
    await play.done(`POST ${room()}/data_services`, services({ code: 'tv', end: inHours(1) }))
    const active = async (node: typeof a) =>
      (await play.done(`GET ${room()}/data_services?active_at=now`, undefined, node)).data_services.length
    for (const node of [a, b, bare]) assert.equal(await active(node), 1)
    await play.done('POST /v1/sandbox/clock', { advance: 'PT2H' }, b)
    for (const node of [a, b, bare]) assert.equal(await active(node), 0)
    await play.done(`POST ${room()}/data_services`, services({ code: 'later', start: inHours(3) }), a)
    const after = await play.cursor()
    await play.done('POST /v1/sandbox/clock', { advance: 'PT2H' }, b)
    assert.deepEqual(
      (await play.eventsAfter(after)).map(({ type }) => type),
      ['service.started'],
    )
  })

  test('a reset invalidates every cached response on every node', async () => {
    const { a, b, bare } = nodes()
    const hotel = play.copy('lyon-01')
    const paths = [
      '/v1/facilities',
      `/v1/facilities/${hotel}`,
      `/v1/facilities/${hotel}/areas_autocomplete_list`,
      room(),
    ]
    const seen = (node: typeof a) => Promise.all(paths.map((path) => play.done(`GET ${path}`, undefined, node)))
    await play.done(`PATCH /v1/facilities/${hotel}/name`, { value: 'Broken' }, a)
    await play.done(`PATCH /v1/facilities/${hotel}/areas_autocomplete_list`, { value: [] }, b)
    await play.done(`POST ${room()}`)
    for (const node of [a, b]) assert.equal((await seen(node))[0][1].name, 'Broken')
    await play.done('POST /v1/sandbox/reset', undefined, a)
    const [list, , entries, area] = await seen(b)
    assert.equal(list[1].name, 'Hôtel Bellecour')
    assert.equal(entries.areas_autocomplete_list.length, 2)
    assert.equal(area.opened_at, null)
    assert.deepEqual(await seen(b), await seen(bare))
  })

  test('services that are added while the clock is moved get their events once', async () => {
    const { a, b } = nodes()
    await play.done('POST /v1/sandbox/reset')
    const rooms = ['214', '215', '216'].map((short) => `/v1/areas/${play.copy('chu-nord')}-${short}`)
    const after = await play.cursor()
    const start = inHours(10)
    const adding = Array.from({ length: 24 }, (_, at) => {
      const request = `POST ${rooms[at % rooms.length]}/data_services`
      return play.done(request, services({ code: `s${at}`, start }), at % 2 === 0 ? a : b)
    })
    const moving = [1, 2].map((at) => play.done('POST /v1/sandbox/clock', { advance: 'PT2H' }, at % 2 === 0 ? a : b))
    await Promise.all([...adding, ...moving])
    await play.done('POST /v1/sandbox/clock', { advance: 'PT8H' }, b)
    const started = (await play.eventsAfter(after)).filter(({ type }) => type === 'service.started')
    assert.equal(started.length, 24)
    assert.equal(new Set(started.map(({ data }) => (data as { id: string }).id)).size, 24)
  })

  test('a sandbox that is removed is gone on every node', async () => {
    const { a, b, operator } = nodes()
    await removeSandbox(operator, commandLine, 'everything')
    for (const node of [a, b]) {
      assert.equal((await play.ask('GET /v1/facilities', undefined, node)).body.code, 'token_invalid')
    }
  })
})
