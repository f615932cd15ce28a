import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Atrium, etagOf, type RoomOperation, type Subscription, verifyWebhook } from '../../client/src/index.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { receiverOfSuite, webhookSettings } from '../harness/some-webhook.ts'

const room = 'chu-nord-214'
const codes = (services: Subscription[]) => services.map(({ code }) => code)

onEachEngine('the client', { settings: webhookSettings }, (atrium) => {
  const receiver = receiverOfSuite()
  const client = (as = 'everything', more: { fetch?: typeof fetch; tries?: number } = {}) =>
    new Atrium({ baseUrl: atrium().url, token: atrium().tokens[as] ?? '', ...more })
  const furnished = async (...wanted: string[]) => {
    const { area } = await client().rooms.open(room)
    return {
      cycle: area.cycle,
      services: await client().services.add(
        room,
        wanted.map((code) => ({ code })),
      ),
    }
  }

  test('changes one service, only in its cycle and version', async () => {
    const { services } = client()
    const { cycle, services: before } = await furnished('tv', 'wifi')
    const [tv, wifi] = before
    const after = await services.change(room, wifi?.id ?? '', { label: 'Wi-Fi', n: 1 }, { cycle })
    assert.deepEqual(after, [tv, { ...wifi, label: 'Wi-Fi', n: 1 }])
    const ifMatch = etagOf(await services.list(room))
    assert.ok(ifMatch)
    await services.change(room, wifi?.id ?? '', { n: null }, { ifMatch })
    const late = services.change(room, wifi?.id ?? '', { n: 2 }, { ifMatch })
    await assert.rejects(late, { code: 'precondition_failed' })
    await furnished()
    await assert.rejects(services.change(room, wifi?.id ?? '', { n: 2 }, { cycle }), { code: 'cycle_ended' })
  })

  test('moves a guest to another room', async () => {
    const { rooms, areas } = client()
    const { cycle, services } = await furnished('tv')
    await rooms.close('chu-nord-216')
    const { from, to } = await rooms.move(room, 'chu-nord-216', { cycle })
    assert.deepEqual(
      [from.area.cycle, from.area.data_services, to.area.cycle, to.area.data_services],
      [null, [], cycle, services],
    )
    assert.equal((await areas.get('chu-nord-216')).cycle, cycle)
    await rooms.close('chu-nord-216', { cycle })
    await assert.rejects(rooms.move(room, 'chu-nord-215'), { code: 'room_not_open' })
  })

  test('changes many rooms at once, and reports which operations were refused', async () => {
    const { rooms, areas } = client()
    const operations: RoomOperation[] = [
      { op: 'open', area: room },
      { op: 'add_services', area: room, services: [{ code: 'tv' }] },
      { op: 'close', area: 'chu-nord-none' },
    ]
    const results = await rooms.changeMany('chu-nord', operations)
    assert.deepEqual(
      results.map((result) => (result.status === 200 ? result.area.id_external : result.problem.code)),
      [room, room, 'area_not_found'],
    )
    assert.deepEqual(codes((await areas.get(room)).data_services), ['tv'])
    const all = await rooms.changeMany('chu-nord', operations, { mode: 'all' })
    assert.deepEqual(
      all.map(({ status }) => status),
      [424, 424, 404],
    )
    assert.ok(results[0]?.status === 200)
    assert.equal((await areas.get(room)).cycle, results[0].area.cycle)
  })

  test('replaces all services: with an id they are kept, without one they are new', async () => {
    const { services: before } = await furnished('tv', 'wifi')
    const [tv] = before
    const after = await client().services.replace(room, [{ id: tv?.id ?? '', code: 'tv', n: 1 }, { code: 'tv' }])
    assert.deepEqual(codes(after), ['tv', 'tv'])
    assert.deepEqual(after[0], { ...tv, n: 1 })
    assert.ok(!before.some(({ id }) => id === after[1]?.id))
  })

  test('keeps webhooks: adds, changes, tests, replays and removes one', async () => {
    const { webhooks, facilities } = client()
    const url = `${receiver().url}/client`
    const { webhook, secret } = await webhooks.create({ url, types: ['facility.updated'], own: true })
    assert.deepEqual(
      (await webhooks.list()).map(({ id }) => id),
      [webhook.id],
    )
    await facilities.rename('lyon-01', `Name ${webhook.id}`)
    const [message] = await receiver().until('/client', (all) => all.length > 0)
    const event = await verifyWebhook(message?.text ?? '', message?.headers ?? {}, secret)
    assert.ok(event.type === 'facility.updated' && event.data.new === `Name ${webhook.id}`)
    while ((await webhooks.deliveries(webhook.id).all()).length === 0);
    assert.equal((await webhooks.ping(webhook.id)).delivered, true)
    assert.equal((await webhooks.replay(webhook.id, { event: event.id })).id, webhook.id)
    await receiver().until('/client', (all) => all.length > 1)
    assert.notEqual((await webhooks.rotate(webhook.id, { grace_seconds: 60 })).secret, secret)
    assert.equal((await webhooks.change(webhook.id, { active: false })).state, 'disabled')
    assert.equal((await webhooks.get(webhook.id)).state, 'disabled')
    await webhooks.delete(webhook.id)
    assert.deepEqual(await webhooks.list(), [])
  })

  test('finds its own requests, rooms and facilities by what they have', async () => {
    const { cycle } = await furnished('tv')
    assert.ok(cycle)
    const { areas, facilities } = client()
    const rooms = async (search: object) =>
      (await areas.list('chu-nord', search).all()).map(({ id_external }) => id_external)
    assert.deepEqual(await rooms({ open: true, service: 'tv' }), [room])
    assert.deepEqual(await rooms({ service: 'tv', changedSince: '2999-01-01T00:00:00Z' }), [])
    assert.deepEqual(
      (await facilities.list({ type: 'hospital', q: 'chu' }).all()).map(({ id }) => id),
      [12],
    )
    await assert.rejects(areas.get('none'), { code: 'area_not_found' })
    for (;;) {
      const [refused] = await client().requests({ code: 'area_not_found', status: 404, limit: 1 }).all()
      if (refused === undefined) continue
      assert.deepEqual(
        [refused.status, (await client().requests({ requestId: refused.request_id }).all()).length],
        [404, 1],
      )
      break
    }
  })

  test('a call that may not be carried out twice is not sent twice', async () => {
    const unsafe = {
      'webhooks.create': ({ webhooks }: Atrium) => webhooks.create({ url: 'https://x.example', types: '*' }),
      'webhooks.ping': ({ webhooks }: Atrium) => webhooks.ping('x'),
      'webhooks.rotate': ({ webhooks }: Atrium) => webhooks.rotate('x'),
      'webhooks.replay': ({ webhooks }: Atrium) => webhooks.replay('x', { event: 'x' }),
      'services.change, of one version': ({ services }: Atrium) => services.change('x', 'x', {}, { ifMatch: '"x"' }),
      'rooms.close, of any cycle': ({ rooms }: Atrium) => rooms.close('x'),
      'sandbox.clock, by a duration': ({ sandbox }: Atrium) => sandbox.clock({ advance: 'PT1H' }),
    }
    const safe = {
      'services.change': ({ services }: Atrium) => services.change('x', 'x', {}),
      'rooms.changeMany': ({ rooms }: Atrium) => rooms.changeMany('x', [{ op: 'open', area: 'x' }]),
      'services.replace': ({ services }: Atrium) => services.replace('x', [], { ifMatch: '"x"' }),
      'webhooks.change': ({ webhooks }: Atrium) => webhooks.change('x', {}),
      'webhooks.list': ({ webhooks }: Atrium) => webhooks.list(),
    }
    const sentBy = async (call: (atrium: Atrium) => Promise<unknown>) => {
      const keys: (string | null)[] = []
      const unavailable: typeof fetch = async (_address, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'))
        return new Response('', { status: 503 })
      }
      await assert.rejects(call(client('ward', { fetch: unavailable, tries: 2 })), { status: 503 })
      return keys
    }
    for (const [name, call] of Object.entries(unsafe)) assert.equal((await sentBy(call)).length, 1, name)
    for (const [name, call] of Object.entries(safe)) {
      const keys = await sentBy(call)
      assert.deepEqual([keys.length, new Set(keys).size], [2, 1], name)
    }
  })
})
