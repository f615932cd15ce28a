import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { rowsIn } from '../harness/rows.ts'
import { type Playground, playground } from './fixture.ts'

onEachEngine('many rooms of a sandbox in one call', {}, (atrium) => {
  let play: Playground
  before(async () => {
    play = await playground(atrium(), 'everything', ['chu-nord'])
  })
  const copy = () => play.copy('chu-nord')
  const room = (short: string) => `${copy()}-${short}`
  const request = () => `POST /v1/facilities/${copy()}/areas/bulk`
  const arrivals = () => [
    { op: 'open', area: room('214') },
    { op: 'add_services', area: room('214'), services: [{ code: 'tv' }] },
    { op: 'open', area: room('215') },
    { op: 'move', area: room('214'), to: room('216') },
  ]

  for (const mode of ['each', 'all']) {
    test(`${mode}: operations take effect in the sandbox alone, at its time, with its events`, async () => {
      await play.done('POST /v1/sandbox/reset')
      await play.done('POST /v1/sandbox/clock', { advance: 'P3D' })
      const [after, real] = [await play.cursor(), await realRooms()]
      const { results } = await play.done(request(), { mode, operations: arrivals() })
      assert.deepEqual(
        results.map(({ status, area }: { status: number; area: { id_external: string } }) => [
          status,
          area.id_external,
        ]),
        [
          [200, room('214')],
          [200, room('214')],
          [200, room('215')],
          [200, room('216')],
        ],
      )
      assert.ok(Date.parse(results[2].area.opened_at) > Date.now() + 2 * 86_400_000)
      const { data_services } = await play.done(`GET /v1/areas/${room('216')}`)
      assert.deepEqual(data_services, results[3].area.data_services)
      const types = (await play.eventsAfter(after)).map(({ type }) => type)
      assert.deepEqual(types.toSorted(), ['area.moved', 'area.opened', 'area.opened', 'services.added'])
      assert.deepEqual(await realRooms(), real)
    })

    test(`${mode}: rooms of the real estate are not found`, async () => {
      const real = await realRooms()
      const operations = [{ op: 'open', area: 'chu-nord-214' }]
      const { results } = await play.done(request(), { mode, operations })
      assert.deepEqual([results[0].status, results[0].problem.code], [404, 'area_not_found'])
      const inReal = await play.ask('POST /v1/facilities/chu-nord/areas/bulk', { mode, operations })
      assert.deepEqual([inReal.status, inReal.body.code], [403, 'facility_not_granted'])
      assert.deepEqual(await realRooms(), real)
    })
  }

  test('a real token reaches no room of a sandbox', async () => {
    const body = { mode: 'each', operations: [{ op: 'close', area: room('214') }] }
    const { status, body: problem } = await atrium().ask(request(), { as: 'everything', body })
    assert.deepEqual([status, problem.code], [404, 'facility_not_found'])
    const near = await atrium().ask('POST /v1/facilities/chu-nord/areas/bulk', { as: 'everything', body })
    assert.equal(near.body.results[0].problem.code, 'area_not_found')
  })

  async function realRooms() {
    const { area = [] } = await rowsIn(atrium().service.db)
    const found = area.filter((row) => !row.includes(copy()))
    assert.ok(found.length > 0)
    return found
  }
})
