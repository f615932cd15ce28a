import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createToken } from '../../src/operations/access/token.ts'
import { findRoom } from '../../src/storage/area.ts'
import type { Db } from '../../src/storage/database.ts'
import { findFacility } from '../../src/storage/facility.ts'
import { dump } from '../harness/dump.ts'
import { estate } from '../harness/estate.ts'
import { apply, onFreshDatabases, refusals } from './applying.ts'

const numberOf = async (db: Db, id: string) => (await db.read(async (tx) => findFacility(tx.rows, id)))?.facility.id

onFreshDatabases('what an estate file does not name', (fresh) => {
  it('stays without --prune', async () => {
    const db = await fresh()
    await apply(db, estate)
    const before = await dump(db)
    await apply(db, { facilities: [], partners: [] })
    await apply(db, { facilities: [{ id_external: 'lyon-01', areas: [] }] })
    assert.equal(await dump(db), before)
  })

  it('is removed with --prune if the file has its list', async () => {
    const db = await fresh()
    await apply(db, estate)
    await createToken(db, { partner: 'ward', name: 'x', expiresAt: null, allowedRanges: [] })
    const only = async (wanted: object) => (await apply(db, wanted, { prune: true, dryRun: true })).lines
    assert.deepEqual(await only({ partners: [{ id: 'ward' }, { id: 'bare' }, { id: 'stranger' }] }), [
      '- partner everything',
      '- partner hotelier',
    ])
    assert.deepEqual(await only({ facilities: [{ id_external: 'lyon-01' }, { id_external: 'nice-02', areas: [] }] }), [
      '- area nice-02-A-1',
      '- facility chu-nord  with 3 areas',
    ])
    assert.ok((await only({ partners: [] })).includes('- partner ward  with 1 token'))
    assert.deepEqual(await only({ facilities: estate.facilities, partners: estate.partners }), [])
  })

  it('takes grants on a facility with it, and names no grant that was not there', async () => {
    const db = await fresh()
    await apply(db, estate)
    await apply(db, { facilities: [{ id_external: 'lyon-01' }] }, { prune: true })
    const rest = estate.partners.map(({ id, name, grants }) => ({
      id,
      name,
      grants: grants.map(({ facilities, ...rights }) => ({
        facilities: facilities === '*' ? '*' : (facilities as string[]).filter((facility) => facility === 'lyon-01'),
        ...rights,
      })),
    }))
    assert.deepEqual((await apply(db, { partners: rest })).lines, [])
  })

  it('lets a full id move from one facility to another in one file', async () => {
    const db = await fresh()
    const at = (a: object[], ab: object[]) => ({
      facilities: [
        { id_external: 'a-b', name: 'AB', areas: ab },
        { id_external: 'a', name: 'A', areas: a },
      ],
    })
    await apply(db, at([{ id: 'b-c', name: 'Here' }], []))
    const moved = at([], [{ id: 'c', name: 'There' }])
    assert.deepEqual(await refusals(db, moved), [
      '1: the full id "a-b-c" would mean two areas: "c" of facility a-b and "b-c" of facility a',
    ])
    assert.deepEqual((await apply(db, moved, { prune: true })).lines, ['- area a-b-c', '+ area a-b-c'])
    const { room } = (await db.read((tx) => findRoom(tx, 'a-b-c'))) ?? {}
    assert.deepEqual([room?.facilityId, room?.short, room?.name], [await numberOf(db, 'a-b'), 'c', 'There'])
  })

  it('refuses one full id for two areas of one file', async () => {
    const db = await fresh()
    const twice = [
      { id_external: 'a', name: 'A', areas: [{ id: 'b-c', name: 'x' }] },
      { id_external: 'a-b', name: 'AB', areas: [{ id: 'c', name: 'y' }] },
    ]
    assert.deepEqual(await refusals(db, { facilities: twice }), [
      '1: the full id "a-b-c" would mean two areas: "c" of facility a-b and "b-c" of facility a',
    ])
    assert.equal(await numberOf(db, 'a'), undefined)
  })

  it('never passes on its number: new numbers are above all former ones', async () => {
    const db = await fresh()
    const facilities = (...ids: (string | [string, number])[]) => ({
      facilities: ids.map((one) => {
        const [id_external, id] = typeof one === 'string' ? [one] : one
        return { id_external, name: id_external, ...(id && { id }) }
      }),
    })
    await apply(db, facilities('a', ['b', 40], 'c'))
    assert.deepEqual([await numberOf(db, 'a'), await numberOf(db, 'b'), await numberOf(db, 'c')], [41, 40, 42])
    await apply(db, facilities('a'), { prune: true })
    await apply(db, facilities('d'))
    assert.equal(await numberOf(db, 'd'), 43)
    await apply(db, facilities(['b', 40], ['e', 7], 'f'))
    assert.deepEqual([await numberOf(db, 'b'), await numberOf(db, 'e'), await numberOf(db, 'f')], [40, 7, 44])
  })
})
