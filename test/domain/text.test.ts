import assert from 'node:assert/strict'
import { test } from 'node:test'
import { characters, isLonger, prefixMatcher } from '../../src/domain/text.ts'

const rows: [string, string, boolean][] = [
  ['roo', 'Room 101', true],
  ['101', 'Room 101', true],
  ['room 1', 'Room 101', true],
  ['etoile', 'Suite Étoile', true],
  ['ÉTOILE', 'suite etoile', true],
  ['oom', 'Room 101', false],
  ['01', 'Room 101', false],
  ['a-1', 'A-1', true],
  ['1', 'A-1', true],
  ['strasse', 'Straße', false],
  ['部', '部屋', true],
  ['x', '', false],
]
for (const [query, text, expected] of rows) {
  test(`"${query}" ${expected ? 'finds' : 'does not find'} "${text}"`, () =>
    assert.equal(prefixMatcher(query)(text), expected))
}

test('characters are code points', () => assert.equal(characters('a😀é'), 3))

test('a text is as long as its characters are many', () => {
  assert.deepEqual(
    ['abc', 'abcd', '😀😀😀', '😀😀😀😀'].map((text) => isLonger(text, 3)),
    [false, true, false, true],
  )
})
