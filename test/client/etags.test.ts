import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Atrium, etagOf } from '../../client/src/index.ts'
import { onEachEngine } from '../harness/atrium.ts'

const room = 'chu-nord-214'

onEachEngine('the client', {}, (atrium) => {
  const client = () => new Atrium({ baseUrl: atrium().url, token: atrium().tokens.everything ?? '' })

  /** Changes the room between two calls of a test. */
  const disturb = () => client().services.add(room, [{ code: 'other' }])

  test('every change of a room returns the ETag of the room that it leaves', async () => {
    const { areas, rooms, services } = client()
    const opened = (await rooms.open(room)).area
    const added = await services.add(room, [{ code: 'tv' }], { ifMatch: etagOf(opened) })
    const tv = added[0]?.id ?? ''
    const changed = await services.change(room, tv, { label: 'TV' }, { ifMatch: etagOf(added) })
    const replaced = await services.replace(room, [{ code: 'net' }, ...changed], { ifMatch: etagOf(changed) })
    const synced = await services.sync(room, [{ code: 'tv' }], { cycle: opened.cycle, ifMatch: etagOf(replaced) })
    const unchanged = await services.sync(room, [{ code: 'tv' }], { cycle: opened.cycle })
    assert.equal(etagOf(unchanged), etagOf(synced))
    const left = await services.delete(room, tv, { ifMatch: etagOf(unchanged) })
    assert.equal(etagOf(await areas.get(room)), etagOf(left))
    const { area: closed } = await rooms.close(room, { ifMatch: etagOf(left) })
    assert.equal(etagOf(await areas.get(room)), etagOf(closed))
  })

  test('with the ETag of a change, the next one is refused when another came between', async () => {
    const { rooms, services } = client()
    const opened = (await rooms.open(room)).area
    await disturb()
    const added = services.add(room, [], { ifMatch: etagOf(opened) })
    await assert.rejects(added, { code: 'precondition_failed' })
    const list = await disturb()
    await disturb()
    await assert.rejects(rooms.close(room, { ifMatch: etagOf(list) }), { code: 'precondition_failed' })
  })

  test('after a move, only the room that the guest left has an ETag', async () => {
    const { areas, rooms } = client()
    const { cycle } = (await rooms.open(room)).area
    await rooms.close('chu-nord-216')
    const { from, to } = await rooms.move(room, 'chu-nord-216', { cycle })
    assert.equal(etagOf(from.area), etagOf(await areas.get(room)))
    assert.throws(() => etagOf(to.area), TypeError)
    await rooms.close('chu-nord-216', { cycle: to.area.cycle })
  })

  test('an autocomplete list has an ETag unless it was read in pages', async () => {
    const { autocomplete } = client()
    const entries = ['7', '8'].map((id) => ({ id_external: id, name: id }))
    const replaced = await autocomplete.replace('lyon-01', entries)
    const list = await autocomplete.list('lyon-01').all()
    assert.equal(etagOf(list), etagOf(replaced))
    assert.throws(() => etagOf([]), TypeError)
    const inPages = await autocomplete.list('lyon-01', { limit: 1 }).all()
    assert.deepEqual(inPages, list)
    assert.throws(() => etagOf(inPages), TypeError)
    await autocomplete.replace('lyon-01', entries.slice(1), { ifMatch: etagOf(list) })
    const late = autocomplete.replace('lyon-01', entries, { ifMatch: etagOf(list) })
    await assert.rejects(late, { code: 'precondition_failed' })
  })

  test('a change of a facility returns the ETag of the facility', async () => {
    const { facilities } = client()
    const renamed = await facilities.rename('lyon-01', 'New')
    assert.equal(etagOf(renamed), etagOf(await facilities.get('lyon-01')))
  })

  test('what the service gives no ETag for has none: the rooms of a list, and the results of many operations', async () => {
    const { areas, rooms } = client()
    for (const area of await areas.list('chu-nord').all()) assert.throws(() => etagOf(area), /gave no ETag/)
    const results = await rooms.changeMany('chu-nord', [{ op: 'close', area: room }])
    for (const result of results) {
      assert.throws(() => etagOf(result), TypeError)
      assert.throws(() => etagOf(result.status === 200 ? result.area : {}), TypeError)
    }
  })
})
