import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LruCache } from '../../src/cache/lru-cache.ts'

interface Thing {
  name: string
  bytes: number
}

const thing = (name: string, bytes = 10): Thing => ({ name, bytes })

/** A cache that admits every new key when full, unless `random` is given. */
function bounded(maxBytes: number, random: () => number = () => 0) {
  const evicted: string[] = []
  const onEvict = (_: string, { name }: Thing) => evicted.push(name)
  const cache = new LruCache<Thing>({ maxBytes, bytesOf: (_, { bytes }) => bytes, onEvict, random })
  return { cache, evicted }
}

/** A deterministic generator of pseudo-random numbers from 0 to 1. */
function numbers(): () => number {
  let seed = 1
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
}

describe('a cache bounded in bytes', () => {
  test('holds what fits, and counts it', () => {
    const { cache, evicted } = bounded(30)
    for (const name of ['a', 'b', 'c']) cache.set(name, thing(name))
    assert.deepEqual([cache.size, cache.bytes, evicted], [3, 30, []])
    assert.equal(cache.get('b')?.name, 'b')
    assert.equal(cache.get('z'), undefined)
  })

  test('counts a value in the place of another once', () => {
    const { cache, evicted } = bounded(100)
    cache.set('a', thing('old', 40))
    cache.set('a', thing('new', 10))
    assert.deepEqual([cache.size, cache.bytes, cache.get('a')?.name, evicted], [1, 10, 'new', []])
  })

  test('evicts the least recently used first', () => {
    const { cache, evicted } = bounded(30)
    for (const name of ['a', 'b', 'c']) cache.set(name, thing(name))
    cache.get('a')
    cache.set('d', thing('d'))
    cache.set('e', thing('e', 20))
    assert.deepEqual(evicted, ['b', 'c', 'a'])
    assert.deepEqual([cache.get('d')?.name, cache.get('e')?.name], ['d', 'e'])
  })

  test('does not take a peek for a use', () => {
    const { cache, evicted } = bounded(20)
    for (const name of ['a', 'b']) cache.set(name, thing(name))
    cache.peek('a')
    cache.set('c', thing('c'))
    assert.deepEqual(evicted, ['a'])
  })

  test('admits one of four new keys while it is full, and every key that it holds', () => {
    let next = 0
    const { cache, evicted } = bounded(20, () => next)
    for (const name of ['a', 'b']) cache.set(name, thing(name))
    next = 0.25
    cache.set('c', thing('c'))
    assert.deepEqual([evicted, cache.size], [['c'], 2])
    cache.set('a', thing('new a'))
    assert.equal(cache.peek('a')?.name, 'new a')
    next = 0.24
    cache.set('c', thing('c'))
    assert.deepEqual([evicted, cache.peek('c')?.name], [['c', 'b'], 'c'])
  })

  test('finds most of what fits of a scan over more than that, again and again', () => {
    const { cache } = bounded(800, numbers())
    let found = 0
    for (let turn = 0; turn < 20; turn++) {
      for (let name = 0; name < 100; name++) {
        if (cache.get(`${name}`) === undefined) cache.set(`${name}`, thing(`${name}`))
        else if (turn >= 10) found++
      }
    }
    assert.ok(found >= 600, `${found} of 1000`)
  })

  test('adapts when other keys become popular', () => {
    const { cache } = bounded(1000, numbers())
    for (let turn = 0; turn < 10; turn++)
      for (let name = 0; name < 100; name++) cache.set(`old ${name}`, thing(`${name}`))
    let found = 0
    for (let turn = 0; turn < 40; turn++) {
      for (let name = 0; name < 60; name++) {
        if (cache.get(`${name}`) === undefined) cache.set(`${name}`, thing(`${name}`))
        else if (turn === 39) found++
      }
    }
    assert.equal(found, 60)
  })

  test('does not hold a value larger than the whole cache', () => {
    const { cache, evicted } = bounded(30)
    cache.set('a', thing('a'))
    cache.set('huge', thing('huge', 31))
    assert.deepEqual([cache.bytes, cache.get('huge'), evicted], [10, undefined, ['huge']])
    cache.set('a', thing('a, huge', 31))
    assert.deepEqual([cache.bytes, cache.get('a')], [0, undefined])
  })

  test('counts right and stays within its bound, whatever is done', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const step = fc.oneof(
      fc.record({ do: fc.constant('set' as const), key, bytes: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ do: fc.constantFrom('get' as const, 'delete' as const, 'clear' as const), key }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { cache, evicted } = bounded(100)
        let order: string[] = []
        for (const one of steps) {
          const before = evicted.length
          const isThere = order.includes(one.key)
          if (one.do === 'set') cache.set(one.key, thing(one.key, one.bytes))
          else if (one.do === 'clear') cache.clear()
          else cache[one.do](one.key)
          if (one.do === 'clear') order = []
          else if (one.do === 'set' || one.do === 'delete' || isThere) order = order.filter((name) => name !== one.key)
          if (one.do === 'set' || (one.do === 'get' && isThere)) order.push(one.key)
          const gone = evicted.slice(before)
          assert.deepEqual(gone, order.slice(0, gone.length), 'the least recently used')
          order = order.slice(gone.length)
          const present = order.map((name) => cache.peek(name) as Thing)
          assert.deepEqual(
            [cache.size, cache.bytes],
            [order.length, present.reduce((sum, { bytes }) => sum + bytes, 0)],
          )
          assert.ok(cache.bytes <= 100)
        }
      }),
    )
  })
})
