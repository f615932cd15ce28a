import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Atrium, etagOf, Problem, Unreachable } from '../../client/src/index.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { estate } from '../harness/estate.ts'
import { receiverOfSuite, webhookSettings } from '../harness/some-webhook.ts'
import { type Mishap, Road } from './road.ts'

const [room, free] = ['chu-nord-214', 'chu-nord-215']
const porter = {
  id: 'porter',
  name: 'Porter',
  grants: [{ facilities: ['chu-nord'], read: [], write: [], rooms: ['open_close'] }],
}
const options = { settings: webhookSettings, estate: { ...estate, partners: [...estate.partners, porter] } }

onEachEngine('the client, when a response is lost', options, (atrium) => {
  const receiver = receiverOfSuite()
  let road: Road
  before(async () => {
    road = await Road.to(atrium().url)
  })
  after(() => road.close())
  const client = (as = 'everything') => new Atrium({ baseUrl: road.url, token: atrium().tokens[as] ?? '' })
  const meeting = (...mishaps: Mishap[]) => {
    road.seen.length = 0
    road.mishaps = mishaps
  }
  const furnished = async () => {
    const { area } = await client().rooms.open(room)
    const [service] = await client().services.add(room, [{ code: 'tv' }, { code: 'net' }])
    return { area, service: service?.id ?? '' }
  }

  test('a service is deleted by a retry too', async () => {
    const { area, service } = await furnished()
    meeting('cut')
    const left = await client().services.delete(room, service, { cycle: area.cycle })
    assert.deepEqual(
      left.map(({ code }) => code),
      ['net'],
    )
    assert.equal((await client().services.add(room, [{ code: 'tv' }], { ifMatch: etagOf(left) })).length, 2)
  })

  test('a service that the room never had stays unknown', async () => {
    await furnished()
    meeting()
    const unknown = client().services.delete(room, crypto.randomUUID())
    await assert.rejects(unknown, { code: 'service_not_found', hasLostResponse: false })
    meeting({ status: 429, headers: { 'retry-after': '0' } })
    const refused = client().services.delete(room, crypto.randomUUID())
    await assert.rejects(refused, { code: 'service_not_found', hasLostResponse: false })
  })

  test('a room is closed by a retry too', async () => {
    const { area } = await furnished()
    meeting('cut')
    const closed = (await client().rooms.close(room, { cycle: area.cycle })).area
    assert.deepEqual([closed.cycle, closed.data_services], [null, []])
    assert.equal(etagOf(closed), etagOf(await client().areas.get(room)))
  })

  test('a close whose retry finds another guest fails', async () => {
    const { area } = await furnished()
    await client().rooms.open(room)
    meeting('cut')
    const late = client().rooms.close(room, { cycle: area.cycle })
    await assert.rejects(late, { code: 'cycle_ended', hasLostResponse: true })
    meeting()
    await assert.rejects(client().rooms.close(room, { cycle: area.cycle }), { hasLostResponse: false })
  })

  test('a close by a partner who cannot read the room fails', async () => {
    const { cycle } = (await client('porter').rooms.open(room)).area
    meeting('cut')
    await assert.rejects(client('porter').rooms.close(room, { cycle }), { code: 'cycle_ended' })
    assert.equal((await client().areas.get(room)).cycle, null)
  })

  test('a webhook is removed by a retry too', async () => {
    const { webhooks } = client()
    const { webhook } = await webhooks.create({ url: `${receiver().url}/lost`, types: '*' })
    meeting('cut')
    await webhooks.delete(webhook.id)
    await assert.rejects(webhooks.delete(webhook.id), { code: 'webhook_not_found' })
  })

  test('a change with ifMatch is not sent again without an Idempotency-Key', async () => {
    const { area, service } = await furnished()
    const read = async () => ({ ifMatch: etagOf(await client().areas.get(room)) })
    const { services, rooms, facilities, autocomplete } = client()
    const once: Record<string, () => Promise<unknown>> = {
      'services.change': async () => services.change(room, service, { label: 'TV' }, await read()),
      'services.delete': async () => services.delete(room, service, await read()),
      'rooms.close': async () => rooms.close(room, { ...(await read()), cycle: area.cycle }),
      'facilities.rename': async () =>
        facilities.rename('lyon-01', 'New', { ifMatch: etagOf(await facilities.get('lyon-01')) }),
      'autocomplete.replace': async () =>
        autocomplete.replace('lyon-01', [], { ifMatch: etagOf(await autocomplete.list('lyon-01').all()) }),
    }
    for (const [name, change] of Object.entries(once)) {
      meeting('none', 'cut')
      await assert.rejects(change(), Unreachable, name)
      assert.equal(road.seen.length, 2, name)
    }
    assert.equal((await client().areas.get(room)).cycle, null)
  })

  test('with an Idempotency-Key a change is repeated, its conditions included', async () => {
    await client().rooms.close(free)
    const opened = (await client().rooms.open(room)).area
    const { cycle } = opened
    meeting('cut', 'cut')
    const added = await client().services.add(room, [{ code: 'tv' }], { cycle, ifMatch: etagOf(opened) })
    meeting('cut', 'cut')
    const replaced = await client().services.replace(room, [{ code: 'net' }], { cycle, ifMatch: etagOf(added) })
    meeting('cut', 'cut')
    const { from, to } = await client().rooms.move(room, free, { cycle, ifMatch: etagOf(replaced) })
    assert.deepEqual([from.area.cycle, to.area.cycle, to.area.data_services], [null, cycle, replaced])
    meeting('cut', 'cut')
    const again = await client().rooms.open(room, { ifMatch: etagOf(from.area) })
    assert.equal((await client().areas.get(room)).cycle, again.area.cycle)
    assert.ok(!(await client().services.list(free)).some(({ code }) => code === 'tv'))
  })

  test('a refusal after lost responses says so', async () => {
    const { area } = await furnished()
    await client().rooms.open(room)
    meeting({ status: 503, headers: { 'retry-after': '0' } })
    const refused = await client()
      .services.add(room, [{ code: 'tv' }], { cycle: area.cycle })
      .catch((error: unknown) => error)
    assert.ok(refused instanceof Problem)
    assert.deepEqual([refused.code, refused.hasLostResponse], ['cycle_ended', true])
  })
})
