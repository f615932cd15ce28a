import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { scenarios } from '../harness/scenarios.ts'

const path = '/v1/areas/chu-nord-214/data_services'
const legacy = (...items: unknown[]) => ({ value: JSON.stringify(items) })

const fill = async ({ ask }: TestAtrium, room: string, codes: string[]) => {
  const answer = await ask(`POST /v1/areas/${room}/data_services`, {
    as: 'ward',
    body: legacy(...codes.map((code) => ({ code }))),
  })
  return answer.body.services.data_services as { id: string; code: string }[]
}

onEachEngine('data_services of a room', {}, (atrium) => {
  test('new ones are appended, oldest first', async () => {
    await fill(atrium(), 'chu-nord-215', ['a', 'b'])
    const all = await fill(atrium(), 'chu-nord-215', ['c'])
    assert.deepEqual(
      all.map(({ code }) => code),
      ['a', 'b', 'c'],
    )
    assert.equal(new Set(all.map(({ id }) => id)).size, 3)
  })

  test('one is deleted, the others remain', async () => {
    const all = await fill(atrium(), 'chu-nord-216', ['a', 'b', 'c'])
    const request = `DELETE /v1/areas/chu-nord-216/data_services/${all[1]?.id}`
    const answer = await atrium().ask(request, { as: 'ward' })
    assert.equal(answer.status, 200)
    assert.match(answer.body.info, /deleted from room chu-nord-216/)
    assert.equal(answer.body.id, all[1]?.id)
    assert.deepEqual(answer.body.remaining_services, [all[0], all[2]])
    assert.equal((await atrium().ask(request, { as: 'ward' })).body.code, 'service_not_found')
    const appended = await fill(atrium(), 'chu-nord-216', ['d'])
    assert.deepEqual(
      appended.map(({ code }) => code),
      ['a', 'c', 'd'],
    )
  })

  test('a subscription of another room is not found here', async () => {
    const [elsewhere] = await fill(atrium(), 'chu-nord-216', ['x'])
    const answer = await atrium().ask(`DELETE ${path}/${elsewhere?.id}`, { as: 'ward' })
    assert.equal(answer.body.code, 'service_not_found')
  })

  test('a room holds a thousand and no more', async () => {
    await atrium().ask('POST /v1/areas/chu-nord-215/', { as: 'ward' })
    const half = Array.from({ length: 500 }, () => 'x')
    await fill(atrium(), 'chu-nord-215', half)
    assert.equal((await fill(atrium(), 'chu-nord-215', half)).length, 1000)
    const answer = await atrium().ask('POST /v1/areas/chu-nord-215/data_services', {
      as: 'ward',
      body: legacy({ code: 'y' }),
    })
    assert.equal(answer.body.code, 'limit_exceeded')
  })
})

scenarios('DELETE data_services/{id}', [
  { when: 'the id is unknown', as: 'ward', request: `DELETE ${path}/nothing`, status: 404, code: 'service_not_found' },
  { when: 'the id holds U+0000', as: 'ward', request: `DELETE ${path}/%00`, status: 404, code: 'service_not_found' },
  {
    when: 'the area is hidden',
    as: 'ward',
    request: 'DELETE /v1/areas/nice-02-A-1/data_services/x',
    status: 404,
    code: 'area_not_found',
  },
  { when: 'services are not granted', as: 'bare', request: `DELETE ${path}/x`, status: 403, code: 'not_granted' },
  {
    when: 'the installation has none',
    as: 'everything',
    request: 'DELETE /v1/areas/lyon-01-101/data_services/x',
    status: 403,
    code: 'room_services_unsupported',
  },
  { when: 'there is no token', request: `DELETE ${path}/x`, status: 401, code: 'token_missing' },
])

scenarios('GET data_services', [
  { when: 'there are none', as: 'ward', request: `GET ${path}`, status: 200, is: { data_services: [] } },
  {
    when: 'the installation has none',
    as: 'hotelier',
    request: 'GET /v1/areas/lyon-01-101/data_services/',
    status: 200,
    is: { data_services: [] },
  },
  {
    when: 'read: areas is not granted',
    as: 'bare',
    request: `GET ${path}`,
    status: 403,
    code: 'not_granted',
    has: { required: { facility: 'chu-nord', read: 'areas' } },
  },
  {
    when: 'the area is hidden',
    as: 'ward',
    request: 'GET /v1/areas/lyon-01-101/data_services',
    status: 404,
    code: 'area_not_found',
  },
  { when: 'there is no token', request: `GET ${path}`, status: 401, code: 'token_missing' },
])
