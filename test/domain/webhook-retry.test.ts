import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryDelayMs } from '../../src/domain/webhook/webhook.ts'

const seconds = [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 21_600]

test('each wait is longer than the one before, up to six hours, and up to a fifth longer by chance', () => {
  for (const [at, wait] of seconds.entries()) {
    assert.equal(retryDelayMs(at + 1, undefined, 0), wait * 1000)
    assert.equal(retryDelayMs(at + 1, undefined, 1), wait * 1200)
  }
})

test('a receiver that asks for more time gets it, up to a limit', () => {
  assert.equal(retryDelayMs(1, 60, 0), 60_000)
  assert.equal(retryDelayMs(3, 60, 0), 120_000)
  assert.equal(retryDelayMs(1, 1_000_000, 0), 21_600_000)
})
