import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { inOneText, isAmong, namesIn } from '../../src/storage/memory/names.ts'

const name = fc.stringMatching(/^[A-Za-z0-9._-]{1,6}$/)

describe('names in one text', () => {
  test('are those that were given, in order', () => {
    assert.deepEqual(namesIn(inOneText(['b', 'a-1', 'a', 'B'])), ['B', 'a', 'a-1', 'b'])
  })

  test('are each found, and nothing else is', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 40 }), fc.array(name), (names, others) => {
        const text = inOneText(names)
        for (const one of [...names, ...others]) assert.equal(isAmong(text, one), names.includes(one), one)
      }),
    )
  })

  for (const strange of ['', ' ', 'a ', ' a', 'a b', 'a b c']) {
    test(`${JSON.stringify(strange)} is never one of them`, () => {
      assert.equal(isAmong(inOneText(['a', 'b', 'c']), strange), false)
    })
  }
})
