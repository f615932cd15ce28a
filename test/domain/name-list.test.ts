import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isInNameList, nameList } from '../../src/domain/permission.ts'

const name = fc.stringMatching(/^[A-Za-z0-9._-]{1,6}$/)

describe('a list of names in one text', () => {
  test('is sorted', () => {
    assert.equal(nameList(['b', 'a-1', 'a', 'B']), ' B a a-1 b ')
  })

  test('has each name, and nothing else', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 40 }), fc.array(name), (names, others) => {
        const list = nameList(names)
        for (const one of [...names, ...others]) assert.equal(isInNameList(list, one), names.includes(one), one)
      }),
    )
  })

  for (const strange of ['', ' ', 'a ', ' a', 'a b', 'a b c']) {
    test(`${JSON.stringify(strange)} is never one of them`, () => {
      assert.equal(isInNameList(nameList(['a', 'b', 'c']), strange), false)
    })
  }
})
