import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesOf } from '../../client/src/batches.ts'
import { Atrium, type OperationResult, type RoomOperation } from '../../client/src/index.ts'
import { onEachEngine } from '../harness/atrium.ts'

const ids = Array.from({ length: 600 }, (_, index) => `big-${index}`)
const opening = ids.map((area): RoomOperation => ({ op: 'open', area }))
const adding = ids.map((area): RoomOperation => ({ op: 'add_services', area, services: [{ code: 'tv' }] }))
const estate = {
  facilities: [
    {
      id_external: 'big',
      name: 'Big',
      status: 'active',
      type: 'hotel',
      room_services: true,
      areas: ids.map((id) => ({ id: id.replace('big-', ''), name: id })),
    },
  ],
  partners: [{ id: 'all', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

test('operations are split into calls, those on one room in the same call and in their order', () => {
  const batches = batchesOf([...opening, ...adding], 'each')
  assert.deepEqual(
    batches.map(({ length }) => length),
    [500, 500, 200],
  )
  assert.deepEqual(batches[0]?.slice(0, 2), [0, 1])
  assert.deepEqual(
    [...batches.flat()].sort((one, other) => one - other),
    [...Array(1200).keys()],
  )
  for (const batch of batches) {
    const rooms = new Set(batch.map((index) => index % 600))
    assert.equal(rooms.size, batch.length / 2)
    assert.deepEqual(
      batch.toSorted((one, other) => one - other),
      batch,
    )
  }
})

test('a move keeps the operations on both of its rooms in one call', () => {
  const move: RoomOperation = { op: 'move', area: 'big-0', to: 'big-599' }
  const batches = batchesOf([...opening, move], 'each')
  assert.deepEqual(
    batches.map((batch) => [batch.includes(0), batch.includes(599), batch.includes(600)]),
    [
      [true, true, true],
      [false, false, false],
    ],
  )
})

test('up to 500 operations are one call in their order, and none are no call', () => {
  const operations = [...opening.slice(0, 250), ...adding.slice(0, 250)]
  assert.deepEqual(batchesOf(operations, 'all'), [[...operations.keys()]])
  assert.deepEqual(batchesOf([], 'each'), [])
})

onEachEngine('rooms.changeMany with more than 500 operations', { estate }, (atrium) => {
  const watched = () => {
    const keys: (string | null)[] = []
    const send: typeof fetch = (address, init) => {
      if (init?.method === 'POST') keys.push(new Headers(init.headers).get('idempotency-key'))
      return fetch(address, init)
    }
    return { keys, atrium: new Atrium({ baseUrl: atrium().url, token: atrium().tokens.all ?? '', fetch: send }) }
  }
  const areaOf = (result: OperationResult | undefined) => (result?.status === 200 ? result.area : undefined)

  test('returns a result for each, in their order, and repeats all of them with the same key', async () => {
    const { keys, atrium } = watched()
    const operations = [...opening, ...adding]
    const results = await atrium.rooms.changeMany('big', operations, { idempotencyKey: 'night' })
    assert.deepEqual(
      results.map((result) => areaOf(result)?.id_external),
      operations.map(({ area }) => area),
    )
    const again = await atrium.rooms.changeMany('big', operations, { idempotencyKey: 'night' })
    assert.deepEqual(
      again.map((result) => areaOf(result)?.cycle),
      results.map((result) => areaOf(result)?.cycle),
    )
    const three = ['night-1', 'night-2', 'night-3']
    assert.deepEqual(keys, [...three, ...three])
    const rooms = await atrium.areas.list('big').all()
    assert.ok(rooms.every(({ data_services }) => data_services.length === 1))
  })

  test('does not attempt later operations on a room after one has failed', async () => {
    const { rooms, services } = watched().atrium
    const wrong = opening.with(599, { op: 'open', area: 'big-599', cycle: crypto.randomUUID() })
    const before = await services.list('big-599')
    const results = await rooms.changeMany('big', [...wrong, ...adding])
    assert.deepEqual([results[599]?.status, results[1199]?.status, results[1198]?.status], [412, 424, 200])
    assert.deepEqual(await services.list('big-599'), before)
  })

  test('refuses what cannot be split before anything is sent, and sends nothing for no operations', async () => {
    const { keys, atrium } = watched()
    const all = atrium.rooms.changeMany('big', opening, { mode: 'all' })
    await assert.rejects(all, { name: 'TypeError', message: /^mode "all" .* Nothing was sent\.$/ })
    const oneRoom = Array<RoomOperation>(501).fill({ op: 'close', area: 'big-1' })
    const tooMany = atrium.rooms.changeMany('big', oneRoom)
    await assert.rejects(tooMany, { name: 'TypeError', message: /^More than 500 .* Nothing was sent\.$/ })
    assert.deepEqual(await atrium.rooms.changeMany('big', []), [])
    assert.deepEqual(keys, [])
  })
})
