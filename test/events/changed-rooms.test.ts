import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { allAfter, starts } from './reading.ts'

type Id = { id: string }
const room = '/v1/areas/chu-nord-214'
const services = `${room}/data_services`

async function ask(atrium: TestAtrium, request: string, rest: Asked = {}) {
  const answer = await atrium.ask(request, { as: 'ward', ...rest })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Opens the room with services of these codes. Returns their ids, the cycle and the cursor after it. */
async function stay(atrium: TestAtrium, ...codes: string[]) {
  const { area } = await ask(atrium, `POST ${room}`)
  const value = JSON.stringify(codes.map((code) => ({ code, n: 1 })))
  const added = await ask(atrium, `POST ${services}`, { body: { value } })
  const from = (await starts(atrium, ['ward'])).get('ward') ?? ''
  return { ids: added.services.data_services.map(({ id }: { id: string }) => id), cycle: area.cycle, from }
}

async function summariesAfter(atrium: TestAtrium, from: string, as = 'ward') {
  return (await allAfter(atrium, as, from)).map(({ type, area, data }) => ({ type, area, data }))
}

onEachEngine('events of changed rooms', {}, (atrium) => {
  test('service.changed names what changed, and shows the service', async () => {
    const { ids, cycle, from } = await stay(atrium(), 'tv', 'wifi')
    const patch = { end: '2999-01-01', n: 2, m: 3 }
    const { services: after } = await ask(atrium(), `PATCH ${services}/${ids[1]}`, { body: patch })
    const [id, service] = [ids[1], after.data_services[1]]
    assert.deepEqual(await summariesAfter(atrium(), from), [
      {
        type: 'service.changed',
        area: 'chu-nord-214',
        data: { cycle, id, changed: ['end', 'n', 'm'], service },
      },
    ])
  })

  test('the name of an own field that was removed is not in the event, since it may be about the guest', async () => {
    const { ids, cycle, from } = await stay(atrium(), 'tv')
    const { services: after } = await ask(atrium(), `PATCH ${services}/${ids[0]}`, { body: { n: null } })
    const data = { cycle, id: ids[0], changed: [], service: after.data_services[0] }
    assert.deepEqual(await summariesAfter(atrium(), from), [{ type: 'service.changed', area: 'chu-nord-214', data }])
  })

  test('a replacement is an event for each service that it removes or changes, and one for those it adds', async () => {
    const { ids, cycle, from } = await stay(atrium(), 'tv', 'wifi', 'minibar')
    const wanted = [{ id: ids[0], code: 'tv', n: 1 }, { id: ids[1], code: 'wifi', n: 2 }, { code: 'x' }, { code: 'y' }]
    const { services: after } = await ask(atrium(), `PUT ${services}`, { body: { data_services: wanted } })
    const [, changed, ...added] = after.data_services
    const area = 'chu-nord-214'
    assert.deepEqual(await summariesAfter(atrium(), from), [
      { type: 'service.deleted', area, data: { cycle, id: ids[2] } },
      { type: 'service.changed', area, data: { cycle, id: ids[1], changed: ['n'], service: changed } },
      { type: 'services.added', area, data: { cycle, ids: added.map(({ id }: Id) => id), services: added } },
    ])
  })

  test('a replacement of many services keeps every event', async () => {
    const codes = Array.from({ length: 150 }, (_, n) => `s${n}`)
    const { ids, from } = await stay(atrium(), ...codes)
    const wanted = ids.slice(100).map((id: string, n: number) => ({ id, code: codes[100 + n], n: 2 }))
    await ask(atrium(), `PUT ${services}`, { body: { data_services: [...wanted, { code: 'x' }] } })
    const told = (await summariesAfter(atrium(), from)).map(({ type, data }) => [type, data.id])
    const expected = ids.map((id: string, n: number) => [n < 100 ? 'service.deleted' : 'service.changed', id])
    assert.deepEqual(told, [...expected, ['services.added', undefined]])
  })

  test('area.moved has both rooms, and later events are in the new one', async () => {
    await ask(atrium(), 'DELETE /v1/areas/chu-nord-215')
    const { ids, cycle, from } = await stay(atrium(), 'tv')
    await ask(atrium(), `POST ${room}/move`, { body: { to: 'chu-nord-215' } })
    await ask(atrium(), `DELETE /v1/areas/chu-nord-215/data_services/${ids[0]}`)
    const data = { cycle, from: 'chu-nord-214', to: 'chu-nord-215' }
    assert.deepEqual(await summariesAfter(atrium(), from), [
      { type: 'area.moved', area: 'chu-nord-214', data },
      { type: 'service.deleted', area: 'chu-nord-215', data: { cycle, id: ids[0] } },
    ])
  })

  test('a change that changes nothing is no event', async () => {
    const { ids, from } = await stay(atrium(), 'tv')
    await ask(atrium(), `PATCH ${services}/${ids[0]}`, { body: { n: 1, label: null } })
    await ask(atrium(), `PUT ${services}`, { body: { data_services: [{ id: ids[0], code: 'tv', n: 1 }] } })
    assert.deepEqual(await summariesAfter(atrium(), from), [])
  })
})
