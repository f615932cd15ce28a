import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'

const room = '/v1/areas/chu-nord-214'
const services = [
  { code: 'always' },
  { code: 'past', end: '2020-01-01T00:00:00Z' },
  { code: 'future', start: '2999-01-01T00:00:00Z', label: '"}],[{"' },
  { code: 'summer', start: '2031-06-01', end: '2031-08-31', extra: { data_services: [{ a: 1 }] } },
]

/** Windows are half-open, and times without an offset are in the facility's time zone: Paris, UTC+2 in summer. */
const table = [
  { at: 'now', codes: ['always'] },
  { at: '2999-01-01T00:00:00Z', codes: ['always', 'future'] },
  { at: '2998-12-31T23:59:59.999Z', codes: ['always'] },
  { at: '2019-12-31T23:59:59Z', codes: ['always', 'past'] },
  { at: '2020-01-01T00:00:00Z', codes: ['always'] },
  { at: '2031-05-31T21:59:59Z', codes: ['always'] },
  { at: '2031-05-31T22:00:00Z', codes: ['always', 'summer'] },
  { at: '2031-06-01', codes: ['always', 'summer'] },
  { at: '2031-09-01T00:00:00', codes: ['always'] },
  { at: '2031-08-31T23:59:59%2B02:00', codes: ['always', 'summer'] },
]

onEachEngine('subscriptions valid at a time', {}, (atrium) => {
  const ask = (request: string) => atrium().ask(request, { as: 'ward' })
  before(async () => {
    await ask(`POST ${room}/`)
    const answer = await atrium().ask(`POST ${room}/data_services`, {
      as: 'ward',
      body: { value: JSON.stringify(services) },
    })
    assert.equal(answer.status, 200, answer.text)
  })

  for (const { at, codes } of table) {
    test(`${at}: ${codes.join(', ')}`, async () => {
      const whole = (await ask(`GET ${room}/`)).body
      const kept = whole.data_services.filter(({ code }: { code: string }) => codes.includes(code))
      assert.equal(kept.length, codes.length)
      assert.deepEqual((await ask(`GET ${room}/?active_at=${at}`)).body, { ...whole, data_services: kept })
      assert.deepEqual((await ask(`GET ${room}/data_services?active_at=${at}`)).body, { data_services: kept })
      const listed = (await ask(`GET /v1/facilities/chu-nord/areas?active_at=${at}`)).body
      const all = (await ask('GET /v1/facilities/chu-nord/areas')).body
      assert.deepEqual(listed, [{ ...whole, data_services: kept }, ...all.slice(1)])
      const [first] = (await ask(`GET /v1/facilities/chu-nord/areas?active_at=${at}&limit=1`)).body
      assert.deepEqual(first, listed[0])
    })
  }

  test('an invalid time is refused', async () => {
    const paths = [`${room}/`, `${room}/data_services`, '/v1/facilities/chu-nord/areas']
    for (const path of paths) {
      for (const at of ['tomorrow', '2031-02-30', '', '2031-08-31T23:59:59+02:00']) {
        assertProblem(await ask(`GET ${path}?active_at=${at}`), 400, 'parameter_invalid')
      }
    }
  })
})
