import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Atrium, type RoomOptions } from '../../client/src/index.ts'
import { onEachEngine } from '../harness/atrium.ts'

/** The compiler checks this table with the others: each of them is also an error in TypeScript. */
const withoutValue: Record<string, RoomOptions> = {
  // @ts-expect-error: a closed room has no cycle
  'cycle: null': { cycle: null },
  // @ts-expect-error: `cycle` is left out or has a value
  'cycle: undefined': { cycle: undefined },
  'cycle: ""': { cycle: '' },
  'cycle: " "': { cycle: ' ' },
  // @ts-expect-error: `ifMatch` is left out or has a value
  'ifMatch: undefined': { ifMatch: undefined },
  'ifMatch: ""': { ifMatch: '' },
  // @ts-expect-error: `idempotencyKey` is left out or has a value
  'idempotencyKey: undefined': { idempotencyKey: undefined },
  'idempotencyKey: ""': { idempotencyKey: '' },
}

const room = 'chu-nord-214'
const changes: Record<string, (atrium: Atrium, options: RoomOptions) => Promise<unknown>> = {
  'rooms.open': ({ rooms }, options) => rooms.open(room, options),
  'rooms.close': ({ rooms }, options) => rooms.close(room, options),
  'rooms.move': ({ rooms }, options) => rooms.move(room, 'chu-nord-215', options),
  'rooms.changeMany': ({ rooms }, options) => rooms.changeMany('chu-nord', [{ op: 'open', area: room }], options),
  'services.add': ({ services }, options) => services.add(room, [], options),
  'services.change': ({ services }, options) => services.change(room, 'x', {}, options),
  'services.replace': ({ services }, options) => services.replace(room, [], options),
  'services.sync': ({ services }, options) => services.sync(room, [], options),
  'services.delete': ({ services }, options) => services.delete(room, 'x', options),
  'facilities.rename': ({ facilities }, options) => facilities.rename('chu-nord', 'x', options),
  'autocomplete.replace': ({ autocomplete }, options) => autocomplete.replace('chu-nord', [], options),
  'webhooks.change': ({ webhooks }, options) => webhooks.change('x', {}, options),
}

for (const [name, change] of Object.entries(changes)) {
  test(`${name}: an option without a value is refused before anything is sent`, async () => {
    for (const [what, options] of Object.entries(withoutValue)) {
      const { atrium, sent } = watched()
      const [option = ''] = what.split(':')
      const message = new RegExp(`^${option} is (null|undefined|" ?"), which is no value\\. .*Nothing was sent\\.$`)
      await assert.rejects(change(atrium, options), { name: 'TypeError', message }, what)
      assert.deepEqual(sent, [], what)
    }
  })
}

test('an operation of changeMany whose cycle has no value is refused; null is sent', async () => {
  for (const cycle of [undefined, '', ' ']) {
    const { atrium, sent } = watched()
    const operation = { op: 'close', area: room, cycle } as { op: 'close'; area: string; cycle: string }
    const message = /^Operation 1, on chu-nord-214: cycle is (undefined|" ?"), .*Nothing was sent\.$/
    const operations = [{ op: 'open', area: room } as const, operation]
    await assert.rejects(atrium.rooms.changeMany('chu-nord', operations), { name: 'TypeError', message })
    assert.deepEqual(sent, [])
  }
  const { atrium, sent } = watched()
  const closed = { op: 'open', area: room, cycle: null } as const
  await atrium.rooms.changeMany('chu-nord', [closed])
  assert.deepEqual(JSON.parse(sent[0] ?? '').operations, [closed])
})

/** Creates a client whose `fetch` records the bodies as sent. */
function watched(): { atrium: Atrium; sent: string[] } {
  const sent: string[] = []
  const fetch = async (_address: string | URL | Request, init?: RequestInit) => {
    sent.push(String(init?.body))
    return Response.json({ results: [{ status: 200 }] })
  }
  return { atrium: new Atrium({ baseUrl: 'http://atrium.example', token: 'x', fetch }), sent }
}

onEachEngine('the client, with the cycle of a closed room', {}, (atrium) => {
  test('does not reach a guest who arrives meanwhile', async () => {
    const { areas, rooms, services } = new Atrium({ baseUrl: atrium().url, token: atrium().tokens.ward ?? '' })
    const { cycle } = await areas.get(room)
    assert.equal(cycle, null)
    await rooms.open(room)
    await services.add(room, [{ code: 'tv' }])
    const late = { cycle } as unknown as { cycle: string }
    await assert.rejects(services.sync(room, [], late), TypeError)
    await assert.rejects(rooms.close(room, late), TypeError)
    const [result] = await rooms.changeMany('chu-nord', [{ op: 'replace_services', area: room, cycle, services: [] }])
    assert.ok(result?.status === 409 && result.problem.code === 'room_occupied')
    assert.equal((await services.list(room)).length, 1)
  })
})
