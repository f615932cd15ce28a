import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { dump } from '../harness/dump.ts'
import { addOperator } from '../harness/operators.ts'
import { inHours, type Playground, playground, services } from './fixture.ts'

onEachEngine('the life of a sandbox', {}, (atrium) => {
  let play: Playground
  before(async () => {
    const room = '/v1/areas/chu-nord-214'
    await atrium().ask(`POST ${room}`, { as: 'ward' })
    await atrium().ask(`POST ${room}/data_services`, {
      as: 'ward',
      body: services({ code: 'tv', label: 'Madame Guest' }),
    })
    play = await playground(atrium(), 'everything', ['chu-nord', 'lyon-01'])
  })
  const copy = () => play.copy('chu-nord')

  test('its tokens have a form of their own', () => {
    assert.match(play.token, /^atr_test_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/)
  })

  test('it has copies of the facilities, with rooms and list, without guest data', async () => {
    const list = await play.done('GET /v1/facilities')
    assert.deepEqual(
      list.map(({ id_external, name }: Record<string, string>) => [id_external, name]),
      [
        [copy(), 'CHU Nord'],
        [play.copy('lyon-01'), 'Hôtel Bellecour'],
      ],
    )
    const areas = await play.done(`GET /v1/facilities/${copy()}/areas`)
    assert.deepEqual(
      areas.map(({ id_external, name, opened_at, data_services }: Record<string, unknown>) => {
        return [id_external, name, opened_at, data_services]
      }),
      ['214', '215', '216'].map((short) => [`${copy()}-${short}`, `Room ${short}`, null, []]),
    )
    const hotel = play.copy('lyon-01')
    const entries = (await play.done(`GET /v1/facilities/${hotel}/areas_autocomplete_list`)).areas_autocomplete_list
    assert.deepEqual(entries[0], { id_external: `${hotel}-101`, name: 'Suite Étoile' })
    const { ssid_public, devices } = await play.done(`GET /v1/facilities/${hotel}`)
    assert.equal(ssid_public, 'Bellecour Guest')
    assert.equal(devices[0].area_id_external, `${hotel}-101`)
    assert.equal((await dump(atrium().service.db)).split('Madame Guest').length - 1, 1, 'only in the real room')
  })

  test('it describes itself', async () => {
    const { clock, date_created, ...rest } = await play.done('GET /v1/sandbox')
    assert.deepEqual(rest, {
      id: play.id,
      partner: 'everything',
      facilities: [
        { id_external: copy(), copy_of: 'chu-nord', name: 'CHU Nord' },
        { id_external: play.copy('lyon-01'), copy_of: 'lyon-01', name: 'Hôtel Bellecour' },
      ],
      last_reset: null,
    })
    assert.equal(clock.ahead_seconds, 0)
    assert.ok(date_created <= clock.now)
  })

  test('a reset restores everything that was changed', async () => {
    const hotel = play.copy('lyon-01')
    const read = async () => [
      await play.done('GET /v1/facilities'),
      await play.done(`GET /v1/facilities/${hotel}/areas_autocomplete_list`),
      (await play.done(`GET /v1/facilities/${copy()}/areas`)).map(withoutTimes),
      withoutTimes(await play.done(`GET /v1/facilities/${hotel}`)),
    ]
    const start = await read()
    await play.done(`PATCH /v1/facilities/${hotel}/name`, { value: 'Broken' })
    await play.done(`PATCH /v1/facilities/${hotel}/ssid_public`, { value: 'broken' })
    await play.done(`PATCH /v1/facilities/${hotel}/subscription_url`, { value: 'https://broken.example/' })
    await play.done(`PATCH /v1/facilities/${hotel}/areas_autocomplete_list`, { value: [] })
    await play.done(`POST /v1/areas/${copy()}-214`)
    await play.done(`POST /v1/areas/${copy()}-214/data_services`, services({ code: 'tv', end: inHours(1) }))
    await play.done(`POST /v1/areas/${copy()}-215/data_services`, services({ code: 'laid-out' }))
    await play.done('POST /v1/sandbox/clock', { advance: 'PT30M' })
    const after = await play.cursor()
    const reset = await play.done('POST /v1/sandbox/reset')
    assert.equal(reset.clock.ahead_seconds, 0)
    assert.ok(reset.last_reset >= reset.date_created)
    assert.deepEqual(await read(), start)
    const events = await play.eventsAfter(after)
    assert.deepEqual(
      events.map(({ type, data, area, origin }) => [type, (data as { property?: string }).property ?? area, origin]),
      [
        ['facility.updated', 'name', 'self'],
        ['facility.updated', 'ssid_public', 'self'],
        ['facility.updated', 'subscription_url', 'self'],
        ['autocomplete_list.replaced', undefined, 'self'],
        ['area.closed', `${copy()}-214`, 'self'],
        ['area.closed', `${copy()}-215`, 'self'],
      ],
    )
  })

  test('an Idempotency-Key from before the reset is refused', async () => {
    const headers = { 'idempotency-key': 'once' }
    const request = `POST /v1/areas/${copy()}-216/data_services`
    const send = () => atrium().ask(request, { as: play.token, headers, body: services({ code: 'tv' }) })
    assert.equal((await send()).status, 200)
    await play.done('POST /v1/sandbox/reset')
    const again = await send()
    assert.deepEqual([again.status, again.body.code], [409, 'cycle_ended'])
  })

  test('a reset without changes only updates its time', async () => {
    await play.done('POST /v1/sandbox/reset')
    const after = await play.cursor()
    await play.done('POST /v1/sandbox/reset')
    assert.deepEqual(await play.eventsAfter(after), [])
  })

  test('it is removed with its partner', async () => {
    const { key } = await addOperator(atrium(), 'admin')
    const gone = await playground(atrium(), 'ward', ['chu-nord'])
    const removed = await atrium().ask('DELETE /cms/v1/partners/ward', { as: key })
    assert.equal(removed.status, 200, removed.text)
    assert.equal((await gone.ask('GET /v1/facilities')).body.code, 'token_invalid')
    assert.ok(!(await dump(atrium().service.db)).includes(gone.id))
  })
})

function withoutTimes({ date_updated: _, ...rest }: Record<string, unknown>) {
  return rest
}
