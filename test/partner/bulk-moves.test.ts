import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { dump } from '../harness/dump.ts'
import { areaOf, bulk, bulkAll, room } from './bulk-calls.ts'

const open = (short: string) => ({ op: 'open', area: room(short) })
const close = (short: string) => ({ op: 'close', area: room(short) })
const add = (short: string, code: string) => ({ op: 'add_services', area: room(short), services: [{ code }] })
const move = (from: string, to: string, more: object = {}) => ({ op: 'move', area: room(from), to: room(to), ...more })

onEachEngine('moves in POST areas/bulk', {}, (atrium) => {
  for (const call of [bulk, bulkAll]) {
    test(`${call.name}: guests change rooms in the order of the operations`, async () => {
      const guests = [open('214'), add('214', 'one'), open('215'), add('215', 'two'), close('216')]
      const before = (await call(atrium(), guests)).results
      const { said, results } = await call(atrium(), [
        move('214', '216'),
        move('215', '214'),
        move('216', '215'),
        add('215', 'three'),
      ])
      assert.deepEqual(said, [200, 200, 200, 200])
      assert.deepEqual(
        results.map(({ area }) => [area.id_external, area.cycle]),
        [
          [room('216'), before[1]?.area.cycle],
          [room('214'), before[3]?.area.cycle],
          [room('215'), before[1]?.area.cycle],
          [room('215'), before[1]?.area.cycle],
        ],
      )
      const shown = await areaOf(atrium(), '215')
      assert.deepEqual(shown, results[3]?.area)
      assert.deepEqual(shown.data_services[0], before[1]?.area.data_services[0])
      assert.equal((await areaOf(atrium(), '216')).cycle, null)
    })

    test(`${call.name}: a move that fails keeps later operations from both rooms`, async () => {
      await bulk(atrium(), [close('214'), open('215'), close('216')])
      const { said } = await call(atrium(), [move('214', '216'), open('214'), open('216'), add('215', 'tv')])
      const others = call === bulk ? 200 : 'not_attempted'
      assert.deepEqual(said, ['room_not_open', 'not_attempted', 'not_attempted', others])
    })

    test(`${call.name}: a retry does not move the guest again`, async () => {
      await bulk(atrium(), [open('214'), close('215'), close('216')])
      const called = { headers: { 'idempotency-key': `${call.name} moved` } }
      const first = await call(atrium(), [move('214', '215'), move('215', '216')], called)
      const before = await dump(atrium().service.db)
      const again = await call(atrium(), [move('214', '215'), move('215', '216')], called)
      assert.deepEqual([first.said, again.said], Array(2).fill([200, 200]))
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      assert.equal(again.results[1]?.area.cycle, first.results[1]?.area.cycle)
      assert.equal(await dump(atrium().service.db), before)
      const arrival = [close('214'), open('214'), add('214', 'tv'), move('214', '215'), close('216')]
      const arrived = { headers: { 'idempotency-key': `${call.name} arrived` } }
      const moved = await call(atrium(), arrival, arrived)
      const retried = await call(atrium(), arrival, arrived)
      assert.deepEqual([moved.said, retried.said], Array(2).fill(Array(5).fill(200)))
      assert.deepEqual([retried.results[3], retried.results[4]], [moved.results[3], moved.results[4]])
      await bulk(atrium(), [close('214'), close('215'), close('216')])
      await bulk(atrium(), [open('214'), close('215')])
      const single = { headers: { 'idempotency-key': `${call.name} once` } }
      const one = await call(atrium(), [move('214', '215')], single)
      const two = await call(atrium(), [move('214', '215')], single)
      assert.deepEqual([two.text, two.headers.get('idempotency-replayed')], [one.text, 'true'])
    })
  }

  test('the target has to be a closed room of the facility, and both grants are needed', async () => {
    await bulk(atrium(), [open('214'), open('215')])
    for (const [to, code] of [
      [room('215'), 'room_occupied'],
      ['lyon-01-2', 'area_not_found'],
      [room('999'), 'area_not_found'],
    ]) {
      const { results } = await bulk(atrium(), [{ op: 'move', area: room('214'), to }])
      assert.equal(results[0]?.problem.code, code)
      if (code === 'area_not_found') assert.equal(results[0]?.problem.errors[0].pointer, '/operations/0/to')
      assert.deepEqual((await bulkAll(atrium(), [{ op: 'move', area: room('214'), to }])).said, [code])
    }
    const elsewhere = [{ op: 'move', area: 'nice-02-A-1', to: 'nice-02-A-2' }]
    const { results } = await bulk(atrium(), elsewhere, { as: 'hotelier', facility: 'nice-02' })
    assert.deepEqual(results[0]?.problem.required, { facility: 'nice-02', rooms: 'services' })
  })
})
