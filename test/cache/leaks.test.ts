import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LruCache } from '../../src/cache/lru-cache.ts'
import { type CachedResponse, ResponseCache } from '../../src/cache/response-cache.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const maxTries = 20
const betweenTriesMs = 50

/** V8 may keep a few objects alive for a while: those already marked, and those that the compiler refers to. */
async function stillHeld(refs: WeakRef<object>[]): Promise<number> {
  let held = refs
  for (let tries = 0; tries < maxTries && held.length > 0; tries++) {
    await sleep(betweenTriesMs)
    collectGarbage()
    held = held.filter((one) => one.deref() !== undefined)
  }
  return held.length
}

const count = 1000
const numbers = Array.from({ length: count }, (_, at) => at)

/** A purge must leave no reference: data of guests must be collectable, not just unreachable by requests. */
describe('nothing holds what was invalidated', () => {
  for (const fits of [count, count / 2]) {
    test(`of ${count} values in a cache for ${fits}`, async () => {
      const cache = new LruCache<object>({ maxBytes: fits, bytesOf: () => 1, random: () => 0 })
      const refs = numbers.map((at) => {
        const value = { at }
        cache.set(`${at}`, value)
        return new WeakRef(value)
      })
      cache.set('another', {})
      for (const at of numbers) cache.delete(`${at}`)
      cache.set('one more', {})
      assert.equal(await stillHeld(refs), 0)
      assert.ok(cache.size > 0)
    })

    test(`of ${count} responses in a cache for ${fits}`, async () => {
      const cache = new ResponseCache(fits * 80_000)
      const load = (at: number) => cache.load(`${at}`, '', () => new Uint8Array(70_000)) as CachedResponse
      const refs = numbers.map((at) => new WeakRef(load(at).body))
      for (const at of numbers) cache.invalidate(`${at}`)
      assert.equal(await stillHeld(refs), 0)
      assert.deepEqual([cache.metrics.entries, cache.etagMetrics.entries], [0, 0])
    })
  }

  test(`of ${count} responses in another encoding`, async () => {
    const cache = new ResponseCache(10_000_000)
    const refs = numbers.map((at) => {
      const encoded = Buffer.from(`gzip of ${at}`)
      cache.addEncoding(cache.load(`${at}`, '', () => `"${at}"`) as CachedResponse, 'gzip', encoded)
      return new WeakRef(encoded)
    })
    for (const at of numbers) cache.invalidate(`${at}`)
    assert.equal(await stillHeld(refs), 0)
  })
})
