import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stolenShare, ticksIn, ticksNow } from '../../bench/stolen.ts'

describe('CPU steal time', () => {
  test('is one of eight columns', () => {
    assert.deepEqual(ticksIn('cpu  10 20 30 40 50 60 70 80 900 900\ncpu0 1 2\n'), { all: 360, stolen: 80 })
    assert.equal(ticksIn('intr 1 2 3'), undefined)
  })

  test('is a share of the time between two readings', () => {
    assert.equal(stolenShare({ all: 100, stolen: 5 }, { all: 300, stolen: 55 }), 0.25)
    assert.equal(stolenShare({ all: 100, stolen: 5 }, { all: 100, stolen: 5 }), undefined)
    assert.equal(stolenShare(undefined, { all: 1, stolen: 0 }), undefined)
  })

  test('is undefined where the system does not report it', () => {
    assert.equal(ticksNow('/nonexistent/stat'), undefined)
  })
})
