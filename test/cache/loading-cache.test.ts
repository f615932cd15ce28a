import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LoadingCache } from '../../src/cache/loading-cache.ts'

interface Thing {
  name: string
  isStale?: boolean
}

const thing = (name: string): Thing => ({ name })
const bytesOf = () => 1

/** A simulated database whose responses the test releases. */
function slowly(maxBytes = 100) {
  const pending: { key: string; answer: PromiseWithResolvers<Thing | undefined> }[] = []
  const cache = new LoadingCache<Thing>({
    maxBytes,
    bytesOf,
    load: (key) => {
      const answer = Promise.withResolvers<Thing | undefined>()
      pending.push({ key, answer })
      return answer.promise
    },
    isCurrent: ({ isStale }) => isStale !== true,
  })
  const reply = async (at: number, found: Thing | undefined) => {
    pending[at]?.answer.resolve(found)
    await nextTurn()
  }
  return { cache, asked: pending, reply }
}

const nameOf = async (found: Thing | undefined | Promise<Thing | undefined>) => (await found)?.name

describe('a loading cache', () => {
  test('loads once for all concurrent requests, and is a hit from then on', async () => {
    const { cache, asked, reply } = slowly()
    const waiting = [cache.find('a'), cache.find('a')]
    assert.equal(cache.get('a'), undefined)
    await reply(0, thing('one'))
    assert.deepEqual(await Promise.all(waiting.map(nameOf)), ['one', 'one'])
    assert.equal(cache.get('a')?.name, 'one')
    assert.equal(await nameOf(cache.find('a')), 'one')
    assert.equal(asked.length, 1)
  })

  test('counts hits and misses', async () => {
    const { cache, reply } = slowly()
    cache.find('a')
    await reply(0, thing('one'))
    cache.find('a')
    cache.get('a')
    assert.deepEqual(cache.metrics, { hits: 2, misses: 1, bytes: 1, entries: 1 })
  })

  for (const invalidation of ['invalidate', 'invalidateLoads', 'clear'] as const) {
    test(`a load that is overtaken by ${invalidation} is not cached, and not shared with later requests`, async () => {
      const { cache, asked, reply } = slowly()
      const early = cache.find('a')
      cache[invalidation]('a')
      const late = cache.find('a')
      assert.equal(asked.length, 2)
      await reply(0, thing('old'))
      assert.equal(await nameOf(early), 'old')
      assert.equal(cache.get('a'), undefined)
      await reply(1, thing('new'))
      assert.equal(await nameOf(late), 'new')
      assert.equal(cache.get('a')?.name, 'new')
    })
  }

  test('a stale load that ends last does not replace the newer one', async () => {
    const { cache, reply } = slowly()
    cache.find('a')
    cache.invalidate('a')
    cache.find('a')
    await reply(1, thing('new'))
    await reply(0, thing('old'))
    assert.equal(cache.get('a')?.name, 'new')
  })

  test('invalidation one leaves the others', async () => {
    const { cache, reply } = slowly()
    for (const key of ['a', 'b']) cache.find(key)
    await reply(0, thing('a'))
    await reply(1, thing('b'))
    cache.invalidate('a')
    assert.deepEqual([cache.get('a'), cache.get('b')?.name], [undefined, 'b'])
  })

  test('does not cache that something does not exist', async () => {
    const { cache, asked, reply } = slowly()
    const first = cache.find('a')
    await reply(0, undefined)
    assert.equal(await first, undefined)
    const second = cache.find('a')
    await reply(1, thing('came'))
    assert.deepEqual([await nameOf(second), asked.length], ['came', 2])
  })

  test('a load that fails rejects its waiters, and is retried by the next request', async () => {
    const { cache, asked, reply } = slowly()
    const first = cache.find('a') as Promise<unknown>
    asked[0]?.answer.reject(new Error('broken'))
    await assert.rejects(first, /broken/)
    const second = cache.find('a')
    await reply(1, thing('whole'))
    assert.equal(await nameOf(second), 'whole')
  })

  test('loads a value again when one that it was derived from is no longer current', async () => {
    const { cache, asked, reply } = slowly()
    cache.find('a')
    await reply(0, { ...thing('old'), isStale: true })
    assert.equal(cache.get('a'), undefined)
    const again = cache.find('a')
    await reply(1, thing('new'))
    assert.deepEqual([await nameOf(again), asked.length], ['new', 2])
  })

  test('loads each time what does not fit', async () => {
    const { cache, asked, reply } = slowly(0)
    for (const at of [0, 1]) {
      const found = cache.find('a')
      await reply(at, thing(`${at}`))
      assert.equal(await nameOf(found), `${at}`)
    }
    assert.deepEqual([asked.length, cache.metrics.bytes], [2, 0])
  })

  test('returns at once when the database does', () => {
    const cache = new LoadingCache<Thing>({
      maxBytes: 100,
      bytesOf,
      load: (key) => (key === 'a' ? thing('a') : undefined),
    })
    assert.equal((cache.find('a') as Thing).name, 'a')
    assert.equal(cache.find('b'), undefined)
    assert.deepEqual(cache.metrics, { hits: 0, misses: 2, bytes: 1, entries: 1 })
  })
})
