import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Need } from '../../src/domain/access/grant.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import {
  areaFor,
  facilityFor,
  facilityOfRoom,
  missingFacility,
  type VisibleFacility,
} from '../../src/operations/access/lookup.ts'
import { loadFacilityOfRoom } from '../../src/storage/cached/facility.ts'
import type { CachedPartner } from '../../src/storage/cached/partner.ts'
import { names } from '../harness/grant-names.ts'
import { has, matrix, type Target, targetsOf, verdict } from '../partner/matrix/oracle.ts'
import { facilities, partners, root } from '../partner/matrix/world.ts'
import { onEachDatabase } from './opened.ts'

/** Returns the facility that was found and the readable fields, or the code of the refusal. */
async function outcome(work: Promise<VisibleFacility>) {
  try {
    const { facility, access } = await work
    return { status: 200, facility: facility.idExternal, read: [...access.read] }
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    assert.notEqual(error.message, '')
    const { required } = error.facts
    return { code: error.code, ...(required && { required }) }
  }
}

onEachDatabase('permissions on facilities and rooms', { facilities, partners: [...partners, root] }, (opened) => {
  const partnerOf = async (id: string) => (await opened().db.cache.partners.find(id)) as CachedPartner
  const misses = () => {
    const { facilities, rooms } = opened().db.cache
    return facilities.metrics.misses + rooms.metrics.misses
  }

  for (const [route, { on, needs, orNeeds, andNeeds }] of Object.entries(matrix)) {
    if (on === 'nothing') continue
    const more = { ...(orNeeds && { orRooms: orNeeds[1] }), ...(andNeeds && { andRooms: andNeeds[1] }) }
    const need = (needs === undefined ? 'none' : { [needs[0]]: needs[1], ...more }) as Need
    const reach = async (partner: CachedPartner, target: Target) => {
      const { cache } = opened().db
      if (on === 'facility') return outcome(facilityFor(cache, partner, need, target))
      return outcome(areaFor(cache, partner, need, target === 'unknown' ? 'clinic-999' : `${target}-1`))
    }
    test(route, async () => {
      for (const partner of [...partners, root]) {
        for (const target of targetsOf[on]) {
          const { status, code, required } = verdict({ partner, route, target })
          const refused = { code, ...(required && { required }) }
          const read = names.read.filter((name) => has(partner, target, 'read', name))
          const expected: object = status === 200 ? { status, facility: target, read } : refused
          assert.deepEqual(await reach(await partnerOf(partner.id), target), expected, `${partner.id} on ${target}`)
        }
      }
    })
  }

  test('an id that no facility can have costs no query', async () => {
    const partner = await partnerOf('root')
    const before = misses()
    for (const id of ['', '*', 'a b', 'clinic\u0000', '-clinic', 'clinic%']) {
      const found = await outcome(facilityFor(opened().db.cache, partner, 'none', id))
      assert.deepEqual(found, { code: 'facility_not_found' }, id)
    }
    assert.equal(misses(), before)
  })

  test('a room id with a control character costs no query', async () => {
    const partner = await partnerOf('root')
    const before = misses()
    for (const id of ['clinic-1\u0000', 'clinic-\n1']) {
      assert.deepEqual(await outcome(areaFor(opened().db.cache, partner, 'none', id)), { code: 'area_not_found' })
      await assert.rejects(facilityOfRoom(opened().db.cache, 'none', id), { code: 'area_not_found' })
    }
    assert.equal(misses(), before)
  })

  test('a hidden room is not cached', async () => {
    const [{ cache }, partner] = [opened().db, await partnerOf('star-rooms')]
    const before = cache.rooms.metrics.entries
    await outcome(areaFor(cache, partner, 'none', 'hidden-2'))
    assert.equal(cache.rooms.metrics.entries, before)
    await outcome(areaFor(cache, partner, 'none', 'hotel-2'))
    assert.equal(cache.rooms.metrics.entries, before + 1)
  })

  test('hiding a room that is cached for others takes the same queries as an absent one', async () => {
    const { db, questions } = opened()
    const cost = async (id: string, room: string) => {
      const partner = await partnerOf(id)
      const before = questions()
      await outcome(areaFor(db.cache, partner, 'none', room))
      return questions() - before
    }
    await cost('root', 'hidden-1')
    assert.equal(await cost('root', 'hidden-1'), 0)
    assert.equal(await cost('star-rooms', 'hidden-1'), 1)
    assert.equal(await cost('star-rooms', 'absent-1'), 1)
  })

  test('an absent room takes the same steps as a hidden one', async () => {
    const { db } = opened()
    const rooms = facilities.flatMap(({ id_external }) => [`${id_external}-1`, `${id_external}-2`]).sort()
    const [first = '', last = ''] = [rooms[0], rooms.at(-1)]
    const facilityIn = (room: string) => room.slice(0, -2)
    assert.deepEqual(await loadFacilityOfRoom(db.ask, ' '), { facility: facilityIn(first), isExact: false })
    assert.deepEqual(await loadFacilityOfRoom(db.ask, '~'), { facility: facilityIn(last), isExact: false })
    for (const [index, room] of rooms.entries()) {
      assert.deepEqual(await loadFacilityOfRoom(db.ask, room), { facility: facilityIn(room), isExact: true })
      const next = rooms[index + 1] ?? last
      assert.deepEqual(await loadFacilityOfRoom(db.ask, `${room} `), { facility: facilityIn(next), isExact: false })
    }
  })

  test('an operator reaches every room, where the installation lets it', async () => {
    const { cache } = opened().db
    for (const { id_external } of facilities) {
      assert.equal((await facilityOfRoom(cache, { rooms: 'open_close' }, `${id_external}-2`)).idExternal, id_external)
    }
    const services: Need = { rooms: 'services' }
    assert.equal((await facilityOfRoom(cache, services, 'clinic-1')).idExternal, 'clinic')
    await assert.rejects(facilityOfRoom(cache, services, 'hotel-1'), {
      code: 'room_services_unsupported',
      message: 'Facility hotel has no per-room services.',
    })
    await assert.rejects(facilityOfRoom(cache, 'none', 'clinic-999'), { code: 'area_not_found', message: /./ })
  })

  test('only a partner that sees every facility learns that one does not exist', async () => {
    assert.deepEqual(missingFacility(await partnerOf('root')).code, 'facility_not_found')
    assert.deepEqual(missingFacility(await partnerOf('nobody')).code, 'facility_not_granted')
  })
})
