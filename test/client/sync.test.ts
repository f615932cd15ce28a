import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Atrium, etagOf, type Subscription } from '../../client/src/index.ts'
import { starts } from '../events/reading.ts'
import { onEachEngine } from '../harness/atrium.ts'

const room = 'chu-nord-214'
const codes = (services: Subscription[]) => services.map(({ code }) => code)

onEachEngine('services.sync', {}, (atrium) => {
  const client = (send: typeof fetch = fetch) =>
    new Atrium({ baseUrl: atrium().url, token: atrium().tokens.everything ?? '', fetch: send })
  const furnished = async (...wanted: string[]) => {
    const { area } = await client().rooms.open(room)
    const services = await client().services.add(
      room,
      wanted.map((code) => ({ code })),
    )
    return { cycle: area.cycle, services }
  }
  /** Runs `before` in front of each of the first changes that a client sends, and records the methods of all requests. */
  const watched = (before: () => Promise<unknown> = async () => {}, times = 0) => {
    const methods: string[] = []
    let left = times
    const send: typeof fetch = async (address, init) => {
      methods.push(init?.method ?? '')
      if (init?.method === 'PUT' && left-- > 0) await before()
      return fetch(address, init)
    }
    return { methods, services: client(send).services }
  }

  test('matches services by their code, with one event for each that differs', async () => {
    const { cycle, services: before } = await furnished('tv', 'wifi', 'bed', 'tv')
    const [tv, wifi, , second] = before
    const after = (await starts(atrium(), ['everything'])).get('everything')
    const wanted = [{ code: 'sun' }, { code: 'tv' }, { code: 'wifi', label: 'Fast' }, { code: 'tv' }]
    const synced = await client().services.sync(room, wanted, { cycle })
    assert.deepEqual(synced.slice(0, 3), [tv, { ...wifi, label: 'Fast' }, second])
    assert.deepEqual(codes(synced.slice(3)), ['sun'])
    const types: string[] = []
    const events = client().events({ after, types: ['service.deleted', 'service.changed', 'services.added'] })
    while (types.length < 3) types.push((await events.next()).value?.type ?? '')
    assert.deepEqual(types.sort(), ['service.changed', 'service.deleted', 'services.added'])
  })

  test('sends nothing when the room has the services', async () => {
    const { cycle, services: before } = await furnished('tv', 'wifi')
    const { methods, services } = watched()
    assert.deepEqual(await services.sync(room, [{ code: 'wifi' }, { code: 'tv' }], { cycle }), before)
    assert.deepEqual(methods, ['GET'])
    await furnished('tv', 'wifi')
    await assert.rejects(services.sync(room, before, { cycle }), { code: 'cycle_ended' })
  })

  test('removes what is not wanted, but not what is to be kept', async () => {
    const { cycle } = await furnished('tv', 'other-1', 'wifi', 'other-2')
    const keep = ({ code }: Subscription) => code.startsWith('other-')
    const kept = await client().services.sync(room, [{ code: 'tv' }, { code: 'other-2' }], { cycle, keep })
    assert.deepEqual(codes(kept), ['tv', 'other-1', 'other-2', 'other-2'])
    assert.deepEqual(codes(await client().services.sync(room, [], { cycle })), [])
  })

  test('with a cycle, starts again when the room changes meanwhile, up to five times', async () => {
    const { cycle } = await furnished('tv')
    const disturb = () => client().services.add(room, [{ code: 'mine' }])
    const wanted = [{ code: 'tv', label: 'TV' }]
    assert.deepEqual(codes(await watched(disturb, 2).services.sync(room, wanted, { cycle })), ['tv'])
    const never = watched(disturb, 9)
    await assert.rejects(never.services.sync(room, [], { cycle }), { code: 'precondition_failed' })
    assert.equal(never.methods.length, 10)
    await furnished()
    await assert.rejects(client().services.sync(room, [], { cycle }), { code: 'cycle_ended' })
  })

  test('without a cycle, fails when a guest arrives meanwhile, even if neither room has a service', async () => {
    await client().rooms.close(room)
    const { services, methods } = watched(() => client().rooms.open(room), 1)
    await assert.rejects(services.sync(room, [{ code: 'lounge' }]), { code: 'precondition_failed' })
    assert.deepEqual(methods, ['GET', 'PUT'])
    assert.deepEqual(await client().services.list(room), [])
  })

  test('with ifMatch, changes only the version that the caller has read', async () => {
    const closed = (await client().rooms.close(room)).area
    const lounge = await client().services.sync(room, [{ code: 'lounge' }], { ifMatch: etagOf(closed) })
    assert.deepEqual(codes(lounge), ['lounge'])
    await furnished()
    const late = client().services.sync(room, [{ code: 'lounge' }], { ifMatch: etagOf(lounge) })
    await assert.rejects(late, { code: 'precondition_failed' })
  })
})
