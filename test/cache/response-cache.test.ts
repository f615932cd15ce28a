import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CachedResponse, ResponseCache } from '../../src/cache/response-cache.ts'
import { etagOf } from '../../src/domain/representation.ts'

const text = (bytes: number, of = 'x') => JSON.stringify(of.repeat(bytes).slice(0, bytes - 2))

/** Makes and caches a response synchronously. */
function cacheText(cache: ResponseCache, key: string, json: string, variant = ''): CachedResponse {
  const response = cache.load(key, variant, () => json)
  assert.ok(!(response instanceof Promise))
  return response
}

describe('a cached response', () => {
  for (const json of ['{}', '"Hôtel « Étoile » 🛏"', text(70_000), `"${'é'.repeat(20_000)}"`]) {
    test(`of ${Buffer.byteLength(json)} bytes is what was made, with its ETag`, () => {
      const cache = new ResponseCache(1_000_000)
      for (const made of [json, new Uint8Array(Buffer.from(json))]) {
        const response = cache.load(typeof made, '', () => made) as CachedResponse
        assert.deepEqual(response.body, Buffer.from(json))
        assert.deepEqual([response.length, response.etag], [Buffer.byteLength(json), etagOf(json)])
        assert.deepEqual(cache.get(typeof made), response)
      }
    })
  }

  test('is found under its key and variant, and nowhere else', () => {
    const cache = new ResponseCache(1_000_000)
    cacheText(cache, 'a', '"a"', '1')
    cacheText(cache, 'a', '"b"', '2')
    const found = [cache.get('a', '1'), cache.get('a', '2'), cache.get('a', '3'), cache.get('b', '1')]
    assert.deepEqual(
      found.map((one) => one && String(one.body)),
      ['"a"', '"b"', undefined, undefined],
    )
    assert.deepEqual(cache.metrics.hits, 2)
  })

  test('is invalidated with all variants of its key, and no others', () => {
    const cache = new ResponseCache(1_000_000)
    for (const key of ['a', 'b']) for (const variant of ['1', '2']) cacheText(cache, key, '"x"', variant)
    cache.invalidate('a')
    const keys = ['a', 'b'].flatMap((key) => ['1', '2'].map((variant) => cache.get(key, variant) !== undefined))
    assert.deepEqual(keys, [false, false, true, true])
    cache.invalidate('b')
    assert.deepEqual([cache.metrics.bytes, cache.metrics.entries], [0, 0])
  })

  test('of what does not exist is not cached', async () => {
    const cache = new ResponseCache(1_000_000)
    assert.equal(
      cache.load('a', '', () => undefined),
      undefined,
    )
    assert.equal(await cache.load('a', '', async () => undefined), undefined)
    assert.equal(cacheText(cache, 'a', '"came"').length, 6)
  })

  test('larger than the cache is returned, and not cached', () => {
    const cache = new ResponseCache(1000)
    assert.equal(cacheText(cache, 'a', text(2000)).length, 2000)
    assert.deepEqual([cache.get('a'), cache.metrics.bytes], [undefined, 0])
  })
})

describe('a response that is being made', () => {
  test('is made once', async () => {
    const cache = new ResponseCache(1_000_000)
    const made = Promise.withResolvers<string>()
    let times = 0
    const load = () =>
      cache.load('a', '', () => {
        times++
        return made.promise
      })
    const waiting = [load(), load()]
    made.resolve('"a"')
    const [one, other] = await Promise.all(waiting)
    assert.equal(one, other)
    assert.equal(times, 1)
    assert.deepEqual(cache.get('a'), one)
  })

  for (const invalidation of ['invalidate', 'clear'] as const) {
    test(`is returned and not cached when ${invalidation} comes in between, and made again for later requests`, async () => {
      const cache = new ResponseCache(1_000_000)
      const [early, late] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
      const variants = ['1', '2'].map((variant) => cache.load('a', variant, () => early.promise))
      cache[invalidation]('a')
      const later = cache.load('a', '1', () => late.promise)
      late.resolve('"new"')
      await nextTurn()
      early.resolve('"old"')
      for (const waiting of variants) assert.equal(String((await waiting).body), '"old"')
      assert.equal(String((await later).body), '"new"')
      assert.deepEqual([String(cache.get('a', '1')?.body), cache.get('a', '2')], ['"new"', undefined])
    })
  }

  test('fails for all waiters, and is made again by the next request', async () => {
    const cache = new ResponseCache(1_000_000)
    const broken = async () => Promise.reject(new Error('broken'))
    const waiting = [cache.load('a', '', broken), cache.load('a', '', broken)]
    for (const one of waiting) await assert.rejects(async () => one, /broken/)
    assert.equal(String(cacheText(cache, 'a', '"a"').body), '"a"')
  })
})

describe('a response in other encodings', () => {
  test('compressed bodies count with the response, once each, and are evicted with it', () => {
    const cache = new ResponseCache(1_000_000)
    const response = cacheText(cache, 'a', text(5000))
    const before = cache.metrics.bytes
    for (let round = 0; round < 3; round++) {
      cache.addEncoding(cache.get('a') as CachedResponse, 'gzip', Buffer.alloc(100))
      cache.addEncoding(cache.get('a') as CachedResponse, 'br', Buffer.alloc(50))
    }
    assert.equal(cache.metrics.bytes, before + 150)
    assert.equal(cache.get('a')?.encoded?.get('gzip')?.length, 100)
    assert.equal(response.encoded, undefined)
    cache.invalidate('a')
    assert.equal(cache.metrics.bytes, 0)
  })

  test('stays within the bound', () => {
    const cache = new ResponseCache(10_000)
    for (let n = 0; n < 20; n++) {
      cache.addEncoding(cacheText(cache, `${n}`, text(1000)), 'gzip', Buffer.alloc(900))
      assert.ok(cache.metrics.bytes <= 10_000, `${cache.metrics.bytes}`)
    }
    assert.ok(cache.metrics.entries > 0)
  })

  test('is not cached for a response that was invalidated meanwhile', () => {
    const cache = new ResponseCache(1_000_000)
    const old = cacheText(cache, 'a', '"old"')
    cache.invalidate('a')
    cache.addEncoding(old, 'gzip', Buffer.alloc(100))
    assert.equal(cache.metrics.bytes, 0)
    cacheText(cache, 'a', '"new"')
    cache.addEncoding(old, 'gzip', Buffer.alloc(100))
    assert.equal(cache.get('a')?.encoded, undefined)
  })
})

describe('the ETag of a response whose body was evicted', () => {
  const isAny = () => true
  const json = (n: number) => text(8000, `${n} `)
  /** Space for five of the bodies. */
  const filled = () => {
    const cache = new ResponseCache(60_000)
    for (let n = 0; n < 20; n++) cacheText(cache, `${n}`, json(n))
    return cache
  }
  const evicted = (cache: ResponseCache) => Array.from({ length: 20 }, (_, n) => n).filter((n) => !cache.get(`${n}`))

  test('stays after the body is evicted, and is removed when the body is cached again', () => {
    const cache = filled()
    const gone = evicted(cache)
    assert.ok(gone.length >= 13 && gone.length < 20, `${gone.length}`)
    for (let n = 0; n < 20; n++) {
      const expected = gone.includes(n) ? { etag: etagOf(json(n)), length: 8000 } : undefined
      assert.deepEqual(cache.etagOf(`${n}`, isAny), expected)
    }
    assert.equal(cache.etagMetrics.hits, gone.length)
  })

  for (const how of ['invalidate', 'clear', 'load'] as const) {
    test(`is invalidated by ${how}`, () => {
      const cache = filled()
      const key = `${evicted(cache)[0]}`
      if (how === 'load') cacheText(cache, key, text(9000))
      else cache[how](key)
      assert.notEqual((cache.get(key) ?? cache.etagOf(key, isAny))?.length, 8000)
    })
  }

  test('is not there for a caller that knows another', () => {
    const cache = filled()
    const [key] = evicted(cache)
    assert.equal(
      cache.etagOf(`${key}`, () => false),
      undefined,
    )
    assert.equal(cache.etagMetrics.hits, 0)
  })

  test('does not stay of a short body', () => {
    const cache = new ResponseCache(10_000)
    for (let n = 0; n < 20; n++) cacheText(cache, `${n}`, text(2000))
    assert.equal(cache.etagMetrics.entries, 0)
  })
})
