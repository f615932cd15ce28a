import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Area,
  Atrium,
  matchServices,
  type RoomOperation,
  type Subscription,
  type WantedSubscription,
} from '../../client/src/index.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { allSettled } from '../harness/settled.ts'
import { type Mishap, Road } from './road.ts'

interface Stay {
  room: string
  cycle: string
  services: WantedSubscription[]
}

const facility = 'chu-nord'
const [first, second, third] = ['chu-nord-214', 'chu-nord-215', 'chu-nord-216']
const everyThirdLost = Array.from({ length: 300 }, (_, index): Mishap => (index % 3 === 2 ? 'cut' : 'none'))
const isOfOthers = ({ code }: Subscription) => code === 'phone'

/** Returns what brings the rooms to the stays: the nightly synchronization. */
function differences(rooms: Area[], stays: Stay[]): RoomOperation[] {
  return rooms.flatMap(({ id_external: area, cycle, data_services }): RoomOperation[] => {
    const stay = stays.find(({ room }) => room === area)
    if (stay === undefined) return cycle === null ? [] : [{ op: 'close', area, cycle }]
    if (stay.cycle !== cycle) {
      return [
        { op: 'open', area, cycle },
        { op: 'add_services', area, services: stay.services },
      ]
    }
    const { services, isChange } = matchServices(stay.services, data_services, { keep: isOfOthers })
    return isChange ? [{ op: 'replace_services', area, cycle, services }] : []
  })
}

onEachEngine('the everyday jobs of a partner, when every third response is lost', {}, (atrium) => {
  test('each is carried out once', async () => {
    const road = await Road.to(atrium().url)
    road.mishaps = everyThirdLost
    const { areas, rooms, services } = new Atrium({ baseUrl: road.url, token: atrium().tokens.ward ?? '' })
    const truth = new Atrium({ baseUrl: atrium().url, token: atrium().tokens.ward ?? '' })
    await allSettled(atrium().service.db)
    const { next } = (await atrium().ask('GET /v1/events', { as: 'ward' })).body
    try {
      // A guest arrives, stays longer, and changes rooms.
      const { cycle } = (await rooms.open(first)).area
      const ordered = await services.add(first, [{ code: 'tv', end: '2099-01-01' }, { code: 'net' }], { cycle })
      const longer = { end: '2099-02-01T12:00:00+01:00' }
      for (const { id } of ordered) await services.change(first, id, longer, { cycle })
      const { to } = await rooms.move(first, second, { cycle })
      assert.deepEqual([to.area.cycle, to.area.data_services.length], [cycle, 2])
      const net = to.area.data_services.find(({ code }) => code === 'net')
      const left = await services.delete(second, net?.id ?? '', { cycle })
      assert.equal(left.length, 1)

      // A party arrives.
      const party = [first, third].flatMap((area): RoomOperation[] => [
        { op: 'open', area },
        { op: 'add_services', area, services: [{ code: 'net' }] },
      ])
      const checkedIn = await rooms.changeMany(facility, party, { mode: 'all' })
      const stays: Stay[] = checkedIn.flatMap((result) => {
        assert.ok(result.status === 200 && result.area.cycle !== null)
        const { id_external: room, cycle, data_services } = result.area
        return data_services.length === 0 ? [] : [{ room, cycle, services: data_services }]
      })

      // At night both sides are compared: another partner has added a service, and one of the party has left.
      await truth.services.add(second, [{ code: 'phone' }])
      stays.pop()
      stays.push({ room: second, cycle, services: [{ code: 'tv', ...longer, label: 'Premium' }] })
      const repairs = differences(await areas.list(facility, { limit: 1 }).all(), stays)
      assert.deepEqual(
        repairs.map(({ op, area }) => `${op} ${area}`),
        [`replace_services ${second}`, `close ${third}`],
      )
      assert.ok((await rooms.changeMany(facility, repairs)).every(({ status }) => status === 200))
      assert.deepEqual(differences(await truth.areas.list(facility).all(), stays), [])

      // The guests leave.
      for (const { room, cycle } of stays) await rooms.close(room, { cycle })
      assert.deepEqual(await truth.areas.list(facility, { open: true }).all(), [])
      assert.ok(road.seen.length > 15)
    } finally {
      road.close()
    }
    await allSettled(atrium().service.db)
    const { data } = (await atrium().ask(`GET /v1/events?after=${next}`, { as: 'ward' })).body
    const happened = data.map(({ type, area }: { type: string; area: string }) => `${type} ${area.slice(-3)}`)
    assert.deepEqual(happened.sort(), [
      'area.closed 214',
      'area.closed 215',
      'area.closed 216',
      'area.moved 214',
      'area.opened 214',
      'area.opened 214',
      'area.opened 216',
      'service.changed 214',
      'service.changed 214',
      'service.changed 215',
      'service.deleted 215',
      'services.added 214',
      'services.added 214',
      'services.added 215',
      'services.added 216',
    ])
  })
})
