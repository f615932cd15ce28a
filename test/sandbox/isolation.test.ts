import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { allAfter, starts } from '../events/reading.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'
import { rowsIn } from '../harness/rows.ts'
import { receiverOfSuite, webhookSettings } from '../harness/some-webhook.ts'
import { type Playground, playground, services } from './fixture.ts'

onEachEngine('sandboxes and the real estate', { settings: webhookSettings }, (atrium) => {
  const receiver = receiverOfSuite()
  let play: Playground
  let other: Playground
  let key = ''
  before(async () => {
    key = (await addOperator(atrium(), 'admin')).key
    play = await playground(atrium(), 'everything', ['chu-nord', 'lyon-01'])
    other = await playground(atrium(), 'ward', ['chu-nord'])
  })
  const cms = async (path: string) => (await atrium().ask(`GET /cms/v1/${path}`, { as: key })).body
  const copy = () => play.copy('chu-nord')

  test('a test token reaches nothing real, and no other sandbox', async () => {
    for (const [facility, status] of [
      ['chu-nord', 403],
      ['lyon-01', 403],
      [other.copy('chu-nord'), 403],
    ] as const) {
      const { status: answered, body } = await play.ask(`GET /v1/facilities/${facility}`)
      assert.deepEqual([answered, body.code], [status, 'facility_not_granted'])
      assert.equal((await play.ask(`PATCH /v1/facilities/${facility}/name`, { value: 'x' })).status, status)
    }
    for (const area of ['chu-nord-214', `${other.copy('chu-nord')}-214`]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, body } = await play.ask(`${method} /v1/areas/${area}`)
        assert.deepEqual([status, body.code], [404, 'area_not_found'])
      }
    }
  })

  test('a real token reaches no sandbox, not even with a grant on every facility', async () => {
    for (const as of ['everything', 'ward']) {
      const facility = await atrium().ask(`GET /v1/facilities/${copy()}`, { as })
      const expected = as === 'everything' ? [404, 'facility_not_found'] : [403, 'facility_not_granted']
      assert.deepEqual([facility.status, facility.body.code], expected)
      for (const request of [`GET /v1/areas/${copy()}-214`, `POST /v1/areas/${copy()}-214`]) {
        const room = await atrium().ask(request, { as })
        assert.deepEqual([room.status, room.body.code], [404, 'area_not_found'])
      }
      const list = await atrium().ask('GET /v1/facilities', { as })
      const page = await atrium().ask('GET /v1/facilities?limit=100', { as })
      for (const { text } of [list, page]) assert.ok(!text.includes('atr-test'))
      const { status, body } = await atrium().ask('POST /v1/sandbox/reset', { as })
      assert.deepEqual([status, body.code], [403, 'sandbox_required'])
    }
  })

  test('test tokens and real tokens have different forms', async () => {
    const [id, rest] = [play.token.slice(9, 17), play.token.slice(17)]
    for (const wrong of [`atr_${id}${rest}`, atrium().tokens.ward?.replace('atr_', 'atr_test_')]) {
      assert.equal((await atrium().ask('GET /v1/me', { as: wrong ?? '' })).body.code, 'token_invalid')
    }
  })

  test('events of a sandbox are sent there alone, and real events never', async () => {
    await atrium().ask('POST /v1/webhooks', { as: 'everything', body: { url: `${receiver().url}/real`, types: '*' } })
    await play.done('POST /v1/webhooks', { url: `${receiver().url}/tried`, types: '*', own: true })
    const [real, tried, others] = await Promise.all([starts(atrium(), ['everything']), play.cursor(), other.cursor()])
    await play.done(`POST /v1/areas/${copy()}-214`)
    await play.done(`POST /v1/areas/${copy()}-214/data_services`, services({ code: 'tv' }))
    await atrium().ask('POST /v1/areas/chu-nord-214', { as: 'ward' })
    const events = await play.eventsAfter(tried)
    assert.deepEqual(
      events.map(({ type, facility }) => [type, facility]),
      [
        ['area.opened', copy()],
        ['services.added', copy()],
      ],
    )
    assert.deepEqual(await other.eventsAfter(others), [])
    const seen = await allAfter(atrium(), 'everything', real.get('everything') ?? '')
    assert.deepEqual(
      seen.map(({ facility }) => facility),
      ['chu-nord'],
    )
    const sent = await receiver().until('/tried', (all) => all.length >= 2)
    for (const { body, text } of sent) assert.equal(body.facility, copy(), text)
    const [event] = await receiver().until('/real', (all) => all.length >= 1)
    assert.equal(event?.body.facility, 'chu-nord')
    assert.ok(receiver().received.every(({ path, text }) => path !== '/real' || !text.includes('atr-test')))
  })

  test('it is in no list, metric or export of the estate', async () => {
    await play.done('GET /v1/me')
    const texts = await Promise.all([
      cms('facilities?limit=100'),
      cms('partners?limit=100'),
      cms('facilities?q=test'),
      cms('figures'),
      cms('partners/everything/access?limit=100'),
    ])
    for (const body of texts) assert.ok(!JSON.stringify(body).includes('atr-test'), JSON.stringify(body))
    const { text } = await atrium().ask('GET /cms/v1/export', { as: key })
    assert.ok(text.includes('lyon-01') && !text.includes('atr-test'))
  })

  const refused: [request: string, body: unknown, status: number, code: string][] = [
    ['GET /cms/v1/facilities/COPY', undefined, 404, 'facility_not_found'],
    ['PATCH /cms/v1/facilities/COPY', { name: 'x' }, 400, 'body_invalid'],
    ['DELETE /cms/v1/facilities/COPY', undefined, 404, 'facility_not_found'],
    ['GET /cms/v1/areas/COPY-214', undefined, 404, 'area_not_found'],
    ['POST /cms/v1/areas/COPY-214/open', undefined, 404, 'area_not_found'],
    ['DELETE /cms/v1/partners/SANDBOX', undefined, 404, 'partner_not_found'],
    ['PATCH /cms/v1/partners/SANDBOX', { name: 'x' }, 400, 'body_invalid'],
    ['POST /cms/v1/partners/SANDBOX/sandbox', { facilities: ['lyon-01'] }, 404, 'partner_not_found'],
    ['POST /cms/v1/partners', { id: 'atr-test.x', name: 'x' }, 400, 'body_invalid'],
    ['POST /cms/v1/facilities', { id_external: 'atr-test.x', name: 'x' }, 400, 'body_invalid'],
  ]
  for (const [request, body, status, code] of refused) {
    test(`operators change it by its partner alone: ${request}`, async () => {
      const before = await rowsIn(atrium().service.db)
      const target = request.replace('COPY', copy()).replace('SANDBOX', play.id)
      const answer = await atrium().ask(target, { as: key, ...(body !== undefined && { body }) })
      assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text)
      const after = await rowsIn(atrium().service.db)
      for (const table of ['facility', 'area', 'partner', 'sandbox']) assert.deepEqual(after[table], before[table])
    })
  }

  test('its facilities cannot be granted to partners', async () => {
    const grants = [{ facilities: [copy()], read: '*' }]
    const { status, body } = await atrium().ask('PATCH /cms/v1/partners/bare', { as: key, body: { grants } })
    assert.deepEqual([status, body.code], [400, 'body_invalid'])
  })
})
