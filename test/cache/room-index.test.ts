import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualCache, sampleRows } from './manual-cache.ts'

const everyone = () => true

/** Creates a cache that holds the facility of a room. */
async function known() {
  const hand = manualCache(sampleRows)
  await hand.cache.ensureFresh()
  const loading = hand.cache.rooms.load('f-1', everyone)
  await hand.settle()
  const facility = await loading
  assert.ok(facility)
  return { ...hand, facility }
}

describe('the facility of a room', () => {
  test('is cached until the facility was invalidated', async () => {
    const { cache, facility } = await known()
    assert.equal(cache.rooms.get('f-1'), facility)
    cache.facilities.invalidate('f')
    assert.equal(cache.rooms.get('f-1'), undefined)
  })

  for (const invalidation of ['invalidateLoads', 'clear'] as const) {
    test(`is not cached when it was loaded before ${invalidation}`, async () => {
      const { cache, settle } = manualCache(sampleRows)
      const loading = cache.rooms.load('f-1', everyone)
      cache.rooms[invalidation]()
      await settle()
      assert.ok(await loading)
      assert.equal(cache.rooms.get('f-1'), undefined)
    })
  }

  test('is cleared with everything, and otherwise stays', async () => {
    const { cache, facility } = await known()
    cache.rooms.invalidateLoads()
    assert.equal(cache.rooms.get('f-1'), facility)
    cache.rooms.clear()
    assert.equal(cache.rooms.get('f-1'), undefined)
  })

  test('is loaded for each caller on its own: one that must not see it neither finds it nor hides it', async () => {
    const { cache, settle } = manualCache(sampleRows)
    const hidden = cache.rooms.load('f-1', () => false)
    const seen = cache.rooms.load('f-1', everyone)
    await settle()
    assert.deepEqual([await hidden, (await seen)?.idExternal], [undefined, 'f'])
  })
})
