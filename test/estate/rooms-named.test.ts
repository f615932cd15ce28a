import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { EstateItem } from '../../src/domain/estate.ts'
import { exportEstate } from '../../src/operations/estate/export-estate.ts'
import type { Db } from '../../src/storage/database.ts'
import { apply, onFreshDatabases, refusals } from './applying.ts'

const area = (id: string) => ({ id, name: id })
const tv = (room: string | null) => ({ id: 'tv', type: 'tv', area: room })
const facility = (id: string, more: object) => ({ id_external: id, name: id, ...more })
const one = (more: object) => ({ facilities: [facility('a', more)] })

async function exported(db: Db): Promise<EstateItem[]> {
  const all: EstateItem[] = []
  await exportEstate(db, { begin: () => {}, receive: async (items) => void all.push(...items) })
  return all
}
const devicesIn = async (db: Db) => {
  const [item] = await exported(db)
  return item?.kind === 'facility' ? item.facility.devices?.map(({ id, area }) => [id, area]) : undefined
}

onFreshDatabases('rooms that other parts of an estate name', (fresh) => {
  it('refuses a device in a room that its facility does not have, with a line', async () => {
    const db = await fresh()
    const unknown = (room: string) =>
      `1: facility a: device "tv" is in an unknown room: the facility has no area "${room}" (a-${room})`
    assert.deepEqual(await refusals(db, one({ devices: [tv('999')], areas: [area('1')] })), [unknown('999')])
    const elsewhere = facility('a-b', { areas: [area('e')] })
    const both = { facilities: [facility('a', { devices: [tv('b-e')] }), elsewhere] }
    assert.deepEqual(await refusals(db, both), [unknown('b-e')])
  })

  it('lets a device name a room that is later in the file, and detaches it from a removed one', async () => {
    const db = await fresh()
    await apply(db, one({ devices: [tv('1')], areas: [area('1'), area('2')] }))
    assert.deepEqual(await devicesIn(db), [['tv', '1']])
    await apply(db, one({ areas: [area('2')] }), { prune: true })
    assert.deepEqual(await devicesIn(db), [['tv', null]])
    assert.deepEqual(await refusals(db, one({ devices: [tv('1')], areas: [area('2')] }), { prune: true }), [
      '1: facility a: device "tv" is in an unknown room: the facility has no area "1" (a-1)',
    ])
  })

  it('exports devices of an older version so that they can be applied again', async () => {
    const db = await fresh()
    await apply(db, one({ devices: [tv('1')], areas: [area('1')] }))
    await db.write((tx) => tx.query.deleteFrom('area').execute())
    assert.deepEqual(await devicesIn(db), [['tv', null]])
  })

  it('refuses an entry with the full id of a room elsewhere, in any order of the file', async () => {
    const entries = facility('a', { areas_autocomplete_list: [{ id: 'b-e', name: 'E' }] })
    const rooms = facility('a-b', { areas: [area('e')] })
    const said =
      '1: the full id "a-b-e" would have two meanings: area "e" of facility a-b and the entry "b-e" in the list of facility a'
    for (const facilities of [
      [entries, rooms],
      [rooms, entries],
    ]) {
      assert.deepEqual(await refusals(await fresh(), { facilities }), [said])
    }
    const db = await fresh()
    for (const [first, then] of [
      [entries, rooms],
      [rooms, entries],
    ] as const) {
      await apply(db, { facilities: [first] }, { prune: true })
      assert.deepEqual(await refusals(db, { facilities: [then] }), [said])
      assert.deepEqual((await apply(db, { facilities: [first] })).lines, [], 'what is there stays')
    }
  })

  it('lets a full id move from a list to a room elsewhere in one file', async () => {
    const db = await fresh()
    const entries = (...ids: string[]) => facility('a', { areas_autocomplete_list: ids.map(area) })
    await apply(db, { facilities: [facility('a-b', {}), entries('b-e')] })
    await apply(db, { facilities: [facility('a-b', { areas: [area('e')] }), entries('b-f')] })
    assert.deepEqual(await refusals(db, { facilities: [entries('b-e')] }), [
      '1: the full id "a-b-e" would have two meanings: area "e" of facility a-b and the entry "b-e" in the list of facility a',
    ])
  })
})
