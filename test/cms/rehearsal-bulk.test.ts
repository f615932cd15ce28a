import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'
import { bulk, bulkAll, room } from '../partner/bulk-calls.ts'

const route = '/v1/facilities/{facilityExternalId}/areas/bulk'
const all = { facilities: ['chu-nord'], read: '*', write: '*' }
const rooms = ['214', '215', '216']

onEachEngine('a rehearsal of grants after bulk calls', {}, (atrium) => {
  let key = ''
  before(async () => {
    key = (await addOperator(atrium(), 'admin')).key
    await bulkAll(
      atrium(),
      rooms.map((short) => ({ op: 'open', area: room(short) })),
    )
    const services = [{ code: 'tv' }]
    await bulk(
      atrium(),
      rooms.map((short) => ({ op: 'replace_services', area: room(short), services })),
    )
    await bulk(atrium(), [
      { op: 'close', area: room('216') },
      { op: 'add_services', area: room('215'), services },
    ])
    await bulk(atrium(), [{ op: 'move', area: room('214'), to: room('216') }])
    const request = 'POST /v1/facilities/chu-nord/areas/bulk'
    await atrium().ask(request, { as: 'ward', body: { mode: 'each', operations: [] } })
    while ((await atrium().ask('GET /cms/v1/requests?partner=ward', { as: key })).body.length < 5) await sleep(50)
  })

  const rehearse = async (grants: object[]) => {
    const { body } = await atrium().ask('POST /cms/v1/partners/ward/rehearsal', { as: key, body: { grants } })
    const found = body.turns_refused as { route: string; facility: string; count: number; code: string }[]
    const { checked, not_checked } = body
    return { checked, not_checked, found: found.map((call) => [call.route, call.facility, call.count, call.code]) }
  }

  test('calls whose operations would lose their grant are listed, all that need the same as one', async () => {
    for (const [left, count] of [
      ['services', [2, 1]],
      ['open_close', [2, 1]],
    ] as const) {
      const { found } = await rehearse([{ ...all, rooms: [left] }])
      const expected = count.map((times) => [route, 'chu-nord', times, 'not_granted'])
      assert.deepEqual(
        found.toSorted((a, b) => Number(b[2]) - Number(a[2])),
        expected,
      )
    }
  })

  test('with both grants nothing changes, and without the facility all calls are refused', async () => {
    assert.deepEqual((await rehearse([{ ...all, rooms: '*' }])).found, [])
    const { found } = await rehearse([])
    assert.deepEqual([...new Set(found.map(([, , , code]) => code))], ['facility_not_granted'])
    assert.equal(
      found.reduce((sum, [, , count]) => sum + Number(count), 0),
      4,
    )
  })

  test('a call that was refused before its operations were read is not decided', async () => {
    const { checked, not_checked } = await rehearse([])
    assert.deepEqual([checked, not_checked], [4, 1])
  })

  test('the log shows such a call as any other', async () => {
    const { body } = await atrium().ask('GET /cms/v1/requests?limit=1', { as: key })
    assert.deepEqual(
      Object.keys(body[0]).filter((name) => name.includes('rooms')),
      [],
    )
  })
})
