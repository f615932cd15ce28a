import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatRateLimit,
  isFull,
  newBucket,
  parseRateLimit,
  secondsToFull,
  secondsToNext,
  takeToken,
} from '../../src/domain/access/rate-limit.ts'

test('limits are read and written', () => {
  assert.deepEqual(parseRateLimit('100/s burst 1000'), { perSecond: 100, burst: 1000 })
  assert.deepEqual(parseRateLimit('0.5/s burst 3'), { perSecond: 0.5, burst: 3 })
  assert.deepEqual(parseRateLimit('20/s'), { perSecond: 20, burst: 20 })
  assert.equal(parseRateLimit('off'), null)
  for (const bad of ['', '100', '0/s burst 1', '1/s burst 0', '-1/s', 'x/s', '1/m burst 2'])
    assert.equal(parseRateLimit(bad), undefined, bad)
  assert.equal(formatRateLimit({ perSecond: 100, burst: 1000 }), '100/s burst 1000')
  assert.equal(formatRateLimit(null), 'off')
})

test('a bucket allows its burst, then its rate, and fills again', () => {
  const bucket = newBucket({ perSecond: 2, burst: 3 }, 0)
  assert.deepEqual(
    [takeToken(bucket, 0), takeToken(bucket, 0), takeToken(bucket, 0), takeToken(bucket, 0)],
    [true, true, true, false],
  )
  assert.equal(secondsToNext(bucket), 1)
  assert.equal(secondsToFull(bucket), 2)
  assert.ok(takeToken(bucket, 500))
  assert.ok(!takeToken(bucket, 600))
  assert.ok(isFull(bucket, 10_000))
  assert.ok(takeToken(bucket, 10_000))
  assert.equal(bucket.tokens, 2)
})

test('a clock that jumps back neither adds nor removes tokens', () => {
  const bucket = newBucket({ perSecond: 1, burst: 1 }, 1000)
  assert.ok(takeToken(bucket, 1000))
  assert.ok(!takeToken(bucket, 0))
})
