import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { allAfter, starts } from '../events/reading.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { receiverOfSuite, webhookSettings } from '../harness/some-webhook.ts'
import { inHours, type Playground, playground, services } from './fixture.ts'

const settings = { ...webhookSettings, ATRIUM_EVENT_ENDING_SECONDS: '3600' }

onEachEngine('the clock of a sandbox', { settings }, (atrium) => {
  const receiver = receiverOfSuite()
  let play: Playground
  let room = ''
  before(async () => {
    play = await playground(atrium(), 'everything', ['chu-nord', 'nice-02'])
    room = `/v1/areas/${play.copy('chu-nord')}-214`
  })
  const types = async (after: string) => (await play.eventsAfter(after)).map(({ type }) => type)

  test('continues from where it was set', async () => {
    const { clock } = await play.done('POST /v1/sandbox/clock', { advance: 'PT1H' })
    assert.equal(clock.ahead_seconds, 3600)
    const shown = await play.done('GET /v1/sandbox')
    assert.ok(shown.clock.now >= clock.now)
    assert.equal(shown.clock.ahead_seconds, 3600)
    const set = await play.done('POST /v1/sandbox/clock', { now: '2035-01-01T00:00:00Z' })
    assert.ok(set.clock.now >= '2035-01-01T00:00:00.000Z' && set.clock.now < '2035-01-01T00:10')
    await play.done('POST /v1/sandbox/clock', { now: '2035-01-01T00:00:00Z' })
    assert.equal((await play.done('POST /v1/sandbox/reset')).clock.ahead_seconds, 0)
  })

  const refused: [what: string, body: unknown, detail: RegExp][] = [
    ['nothing', {}, /"now" or a duration in "advance"/],
    ['both', { now: '2035-01-01', advance: 'PT1H' }, /one of the two/],
    ['something else', { later: 'PT1H' }, /"now" or a duration in "advance"/],
    ['no time', { now: 'soon' }, /date-time such as/],
    ['null', { now: null }, /date-time such as/],
    ['a past time', { now: '2001-01-01T00:00:00Z' }, /a reset puts the clock back/],
    ['months', { advance: 'P1M' }, /months and years are not/],
    ['a bare P', { advance: 'P' }, /must be a duration/],
    ['a bare T', { advance: 'P1DT' }, /must be a duration/],
    ['a number', { advance: 5 }, /must be a duration/],
    ['more than ten years', { advance: 'P999W' }, /ten years/],
    ['a list', [], /"now" or a duration in "advance"/],
  ]
  for (const [what, body, detail] of refused) {
    test(`${what} is refused with advice`, async () => {
      const before = await play.done('GET /v1/sandbox')
      const { status, body: problem } = await play.ask('POST /v1/sandbox/clock', body)
      assert.deepEqual([status, problem.code], [400, 'body_invalid'])
      assert.match(problem.detail, detail)
      assert.equal((await play.done('GET /v1/sandbox')).clock.ahead_seconds, before.clock.ahead_seconds)
    })
  }

  test('sends the events that are due, in order and once', async () => {
    await play.done(`POST ${room}`)
    const other = `/v1/areas/${play.copy('nice-02')}-A-1`
    const after = await play.cursor()
    const [start, end, later] = [inHours(2), inHours(6), inHours(4)]
    await play.done(`POST ${room}/data_services`, services({ code: 'tv', start, end }))
    await play.done(`POST ${other}/data_services`, services({ code: 'wifi', start: later }))
    const answer = await play.done('POST /v1/sandbox/clock', { advance: 'PT1H' })
    assert.deepEqual(await types(after), ['services.added', 'services.added'])
    await play.done('POST /v1/sandbox/clock', { now: new Date(Date.parse(end) + 1000).toISOString() })
    await play.done('POST /v1/sandbox/clock', { advance: 'PT10M' })
    const events = (await play.eventsAfter(after)).slice(2)
    assert.deepEqual(
      events.map(({ type, occurred_at }) => [type, occurred_at]),
      [
        ['service.started', start],
        ['service.started', later],
        ['service.ending', new Date(Date.parse(end) - 3_600_000).toISOString()],
        ['service.ended', end],
      ],
    )
    assert.ok(answer.clock.ahead_seconds === 3600)
    assert.ok(events.every(({ origin }) => origin === 'other'))
  })

  test('decides what is valid, and dates events', async () => {
    await play.done('POST /v1/sandbox/reset')
    await play.done(`POST ${room}`)
    await play.done(`POST ${room}/data_services`, services({ code: 'day', end: inHours(24) }))
    const active = async () => (await play.done(`GET ${room}/data_services?active_at=now`)).data_services.length
    const areas = async () =>
      (await play.done(`GET /v1/facilities/${play.copy('chu-nord')}/areas?active_at=now`))[0].data_services.length
    assert.deepEqual([await active(), await areas()], [1, 1])
    const { clock } = await play.done('POST /v1/sandbox/clock', { advance: 'P2D' })
    assert.deepEqual([await active(), await areas()], [0, 0])
    assert.equal((await play.done(`GET ${room}?active_at=now`)).data_services.length, 0)
    const after = await play.cursor()
    const { area } = await play.done(`POST ${room}`)
    assert.ok(area.opened_at >= clock.now, `${area.opened_at} is before ${clock.now}`)
    const [opened] = await play.eventsAfter(after)
    assert.ok((opened?.occurred_at ?? '') >= clock.now)
  })

  test('sends what begins after it was moved by itself', async () => {
    await play.done('POST /v1/sandbox/reset')
    await play.done('POST /v1/sandbox/clock', { advance: 'P3D' })
    await play.done(`POST ${room}`)
    const { clock } = await play.done('GET /v1/sandbox')
    let after = await play.cursor()
    const start = new Date(Date.parse(clock.now) + 1500).toISOString()
    await play.done(`POST ${room}/data_services`, services({ code: 'tv', start }))
    const seen: string[] = []
    while (seen.length < 2) {
      const { data, next } = await play.done(`GET /v1/events?after=${after}&wait=30`)
      seen.push(...data.map(({ type, occurred_at }: Record<string, string>) => `${type} ${occurred_at}`))
      after = next
    }
    assert.equal(seen[1], `service.started ${start}`)
  })

  test('sends its events to webhooks of the sandbox as well', async () => {
    await play.done('POST /v1/sandbox/reset')
    await play.done(`POST ${room}`)
    await play.done(`POST ${room}/data_services`, services({ code: 'tv', start: inHours(1), end: inHours(2) }))
    await play.done('POST /v1/webhooks', {
      url: `${receiver().url}/moments`,
      types: ['service.started', 'service.ended'],
    })
    await play.done('POST /v1/sandbox/clock', { advance: 'P1D' })
    const received = await receiver().until('/moments', (all) => new Set(all.map(({ text }) => text)).size >= 2)
    assert.deepEqual([...new Set(received.map(({ body }) => body.type))], ['service.started', 'service.ended'])
  })

  test('affects the sandbox alone', async () => {
    const real = '/v1/areas/chu-nord-216'
    await atrium().ask(`POST ${real}`, { as: 'ward' })
    await atrium().ask(`POST ${real}/data_services`, { as: 'ward', body: services({ code: 'tv', end: inHours(1) }) })
    const from = (await starts(atrium(), ['ward'])).get('ward') ?? ''
    await play.done('POST /v1/sandbox/clock', { advance: 'P5D' })
    const shown = await atrium().ask(`GET ${real}/data_services?active_at=now`, { as: 'ward' })
    assert.equal(shown.body.data_services.length, 1)
    assert.deepEqual(await allAfter(atrium(), 'ward', from), [])
  })
})
