import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pauses } from './pauses.ts'

test('a process that stood still is noticed', () => {
  using pauses = new Pauses(50)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  assert.equal(pauses.take(), true)
})

test('a process that goes on is not', () => {
  using pauses = new Pauses(3_600_000)
  assert.equal(pauses.take(), false)
})
