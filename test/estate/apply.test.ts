import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { addSubscriptions, openRoom } from '../../src/operations/room.ts'
import { findRoom } from '../../src/storage/area.ts'
import type { Db } from '../../src/storage/database.ts'
import { findFacility } from '../../src/storage/facility.ts'
import { dump } from '../harness/dump.ts'
import { estate } from '../harness/estate.ts'
import { apply, onFreshDatabases, refusals } from './applying.ts'

const facilityOf = (db: Db, id: string) => db.read(async (tx) => (await findFacility(tx.rows, id))?.facility)
const areaOf = (db: Db, id: string) => db.read(async (tx) => (await findRoom(tx, id))?.room)

onFreshDatabases('applying an estate', (fresh) => {
  it('creates everything, then finds nothing to do', async () => {
    const db = await fresh()
    const first = await apply(db, estate)
    assert.deepEqual(first.lines.slice(0, 6), [
      '+ facility lyon-01',
      '+ area lyon-01-10',
      '+ area lyon-01-2',
      '+ area lyon-01-101',
      '+ area lyon-01-bar',
      '+ facility chu-nord',
    ])
    const none = { created: 0, updated: 0, removed: 0 }
    assert.deepEqual(first.tally, {
      facilities: { ...none, created: 3, unchanged: 0 },
      areas: { ...none, created: 8, unchanged: 0 },
      partners: { ...none, created: 5, unchanged: 0 },
    })
    const before = await dump(db)
    await sleep(2)
    const second = await apply(db, estate, { prune: true })
    assert.deepEqual(second.lines, [])
    assert.deepEqual(second.tally, {
      facilities: { ...none, unchanged: 3 },
      areas: { ...none, unchanged: 8 },
      partners: { ...none, unchanged: 5 },
    })
    assert.equal(await dump(db), before)
  })

  it('sets the defaults of a new facility', async () => {
    const db = await fresh()
    await apply(db, { facilities: [{ id_external: 'a', name: ' A ', areas: [{ id: '1', name: 'One' }] }] })
    const { dateCreated, dateUpdated, ...facility } = (await facilityOf(db, 'a')) ?? {}
    assert.deepEqual(facility, {
      id: 1,
      idExternal: 'a',
      name: 'A',
      status: 'active',
      type: 'hotel',
      ssidPublic: null,
      subscriptionUrl: null,
      subscribed: false,
      timezone: 'UTC',
      roomServices: false,
      address: null,
      devices: [],
    })
    assert.equal(dateCreated, dateUpdated)
    assert.deepEqual((await areaOf(db, 'a-1'))?.dataGeneral, '[]')
  })

  it('leaves what the file does not mention, in an address too', async () => {
    const db = await fresh()
    await apply(db, estate)
    const before = await facilityOf(db, 'lyon-01')
    const { lines } = await apply(db, {
      facilities: [{ id_external: 'lyon-01', ssid_public: null, type: 'residence', address: { city: 'Nice' } }],
      partners: [{ id: 'bare', name: 'Bare' }],
    })
    assert.deepEqual(lines, [
      '~ facility lyon-01  type: "hotel" -> "residence", ssid_public: "Bellecour Guest" -> null, address',
      '~ partner bare  name: "Sees names only" -> "Bare"',
    ])
    const after = await facilityOf(db, 'lyon-01')
    assert.deepEqual(after, {
      ...before,
      type: 'residence',
      ssidPublic: null,
      address: { street: '20 place Bellecour', postal_code: '69002', city: 'Nice', region: null, country: 'FR' },
      dateUpdated: after?.dateUpdated,
    })
  })

  it('replaces lists whole, but adds to the areas', async () => {
    const db = await fresh()
    await apply(db, estate)
    const devices = [{ id: 'x', type: 'tv', area: '3' }]
    const { lines } = await apply(db, {
      facilities: [
        {
          id_external: 'lyon-01',
          devices,
          areas: [
            { id: '2', data_general: [{ a: 1 }] },
            { id: '3', name: 'Three' },
          ],
          areas_autocomplete_list: [{ id: 'z', name: 'Z' }],
        },
      ],
      partners: [{ id: 'hotelier', grants: [{ facilities: '*' }] }],
    })
    assert.deepEqual(lines, [
      '~ facility lyon-01  devices, areas_autocomplete_list',
      '~ area lyon-01-2  data_general',
      '+ area lyon-01-3',
      `~ partner hotelier  grants -(lyon-01: read ssid_public, address, areas; write name; rooms open_close) -(nice-02: read areas; rooms open_close) +(all others: visible)`,
    ])
    assert.deepEqual((await facilityOf(db, 'lyon-01'))?.devices, [
      { id: 'x', type: 'tv', model: null, serial: null, status: null, area: '3' },
    ])
    assert.equal((await areaOf(db, 'lyon-01-2'))?.name, 'Room 2')
    assert.equal((await areaOf(db, 'lyon-01-bar'))?.name, 'Lounge bar')
  })

  it('moves date_updated where something changes, and only there', async () => {
    const db = await fresh()
    await apply(db, estate)
    const dates = async () => [
      (await facilityOf(db, 'lyon-01'))?.dateUpdated,
      (await facilityOf(db, 'chu-nord'))?.dateUpdated,
      (await areaOf(db, 'lyon-01-2'))?.dateUpdated,
      (await areaOf(db, 'lyon-01-10'))?.dateUpdated,
    ]
    const [before] = await dates()
    await sleep(2)
    await apply(db, {
      facilities: [
        {
          id_external: 'lyon-01',
          areas: [
            { id: '2', name: 'Two' },
            { id: '10', name: 'Room 10' },
          ],
        },
        { id_external: 'chu-nord', name: 'CHU' },
      ],
    })
    const [lyon, chu, two, ten] = await dates()
    assert.deepEqual([lyon, ten], [before, before])
    assert.ok(chu === two && String(chu) > String(before))
  })

  it('lets guests stay when a room gets another name', async () => {
    const db = await fresh()
    await apply(db, estate)
    const caller = { partner: { id: 'ward' }, token: undefined, actor: commandLine }
    const change = { area: 'chu-nord-214', precondition: {} }
    await openRoom(db, caller, change)
    const tv = { code: 'tv', label: null, status: 'active', start: null, end: null, extra: {} }
    await addSubscriptions(db, caller, change, {
      drafts: [tv],
      bodyHash: '',
      limits: { roomSubscriptions: 10, roomBytes: 9999 },
      endingSeconds: 3600,
    })
    const opened = await areaOf(db, 'chu-nord-214')
    await apply(db, { facilities: [{ id_external: 'chu-nord', areas: [{ id: '214', name: 'Room 214 bis' }] }] })
    const renamed = await areaOf(db, 'chu-nord-214')
    assert.deepEqual(renamed, { ...opened, name: 'Room 214 bis', dateUpdated: renamed?.dateUpdated })
    assert.equal((await db.read((tx) => findRoom(tx, 'chu-nord-214')))?.subscriptions.length, 1)
    assert.ok(renamed?.cycle)

    const { lines } = await apply(
      db,
      { facilities: [{ id_external: 'chu-nord', areas: [] }] },
      { prune: true, dryRun: true },
    )
    assert.deepEqual(lines.slice(0, 2), [
      '- area chu-nord-214  with an open room, 1 subscription',
      '- area chu-nord-215',
    ])
    const whole = await apply(db, { facilities: [] }, { prune: true, dryRun: true })
    assert.ok(whole.lines.includes('- facility chu-nord  with 3 areas, 1 open room, 1 subscription'))
  })

  it('a dry run reports the same and changes nothing', async () => {
    const db = await fresh()
    await apply(db, estate)
    const before = await dump(db)
    const wanted = {
      facilities: [{ id_external: 'new', name: 'New', areas: [{ id: '1', name: 'One' }] }],
      partners: [],
    }
    const dry = await apply(db, wanted, { prune: true, dryRun: true })
    assert.equal(await dump(db), before)
    assert.deepEqual(await apply(db, wanted, { prune: true }), dry)
    assert.deepEqual(dry.tally.facilities, { created: 1, updated: 0, removed: 3, unchanged: 0 })
    assert.deepEqual(dry.tally.areas, { created: 1, updated: 0, removed: 8, unchanged: 0 })
  })

  it('changes thousands of areas at once', async () => {
    const db = await fresh()
    const many = (name: string, count: number) => ({
      facilities: ['a', 'b', 'c'].map((id_external) => ({
        id_external,
        name: id_external,
        areas: Array.from({ length: count }, (_, index) => ({ id: `${index}`, name: `${name} ${index}` })),
      })),
    })
    assert.equal((await apply(db, many('Room', 1003))).tally.areas.created, 3009)
    assert.equal((await apply(db, many('Suite', 1003))).tally.areas.updated, 3009)
    assert.equal((await areaOf(db, 'c-1002'))?.name, 'Suite 1002')
    const { tally } = await apply(db, many('Suite', 1), { prune: true })
    assert.deepEqual(tally.areas, { created: 0, updated: 0, removed: 3006, unchanged: 3 })
  })

  it('reports all conflicts with the database at once, and changes nothing', async () => {
    const db = await fresh()
    await apply(db, estate)
    const before = await dump(db)
    const wanted = `facilities:
- id_external: lyon-01
  id: 99
- id_external: new-01
- id_external: new-02
  name: New
  id: 11
- id_external: chu-nord
  address: {city: Lille}
  areas: [{id: "9"}]
- id_external: chu
  name: CHU
  areas: [{id: nord-214, name: Room}]
partners:
- id: new
- id: bare
  grants: [{facilities: [lyon-01, lyon-02]}]
`
    assert.deepEqual(await refusals(db, wanted), [
      '2: facility lyon-01: its id is 11 and cannot become 99',
      '4: facility new-01: it is new and needs a name',
      '5: facility new-02: the id 11 belongs to facility lyon-01',
      '8: facility chu-nord: its address needs a country',
      '11: the full id "chu-nord-214" would mean two areas: "nord-214" of facility chu and "214" of facility chu-nord',
      '15: partner new: it is new and needs a name',
      '16: partner bare: a grant names facility lyon-02, which is not known',
    ])
    assert.deepEqual(await refusals(db, 'facilities: [{id_external: chu-nord, areas: [{id: "9"}]}]'), [
      '1: area chu-nord-9: it is new and needs a name',
    ])
    assert.equal(await dump(db), before)
  })
})
