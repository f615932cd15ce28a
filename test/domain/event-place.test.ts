import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { endOf, entryBefore, newPlaceSecret, PlaceNames, placeOf } from '../../src/domain/room/event-place.ts'

const secret = newPlaceSecret()
const names = new PlaceNames(secret, 'acme')
const someSeq = fc.integer({ min: 0, max: 2 ** 46 })
const someIndex = fc.integer({ min: 0, max: 62 })

test('an id and a cursor lead back to their place, for this partner alone', () => {
  fc.assert(
    fc.property(someSeq, someIndex, (seq, index) => {
      const place = placeOf(seq, index)
      assert.equal(names.read(names.id(place)), place)
      assert.equal(names.read(names.cursor(place)), place)
      assert.equal(new PlaceNames(secret, 'other').read(names.id(place)), undefined)
    }),
  )
})

test('an id is always the same, a cursor another one each time', () => {
  assert.equal(names.id(640), new PlaceNames(secret, 'acme').id(640))
  assert.notEqual(names.cursor(640), names.cursor(640))
})

test('what is no name of a place is none', () => {
  const id = names.id(640)
  const other = id[5] === 'A' ? 'B' : 'A'
  for (const text of [
    '',
    'x',
    `${id}A`,
    id.slice(1),
    '640',
    `${id.slice(0, 5)}${other}${id.slice(6)}`,
    '.'.repeat(22),
  ]) {
    assert.equal(names.read(text), undefined, text)
  }
})

test('after a place come the rest of its entry and all later ones', () => {
  fc.assert(
    fc.property(someSeq, someIndex, (seq, index) => {
      assert.equal(entryBefore(placeOf(seq, index)), seq - 1)
      assert.equal(entryBefore(endOf(seq)), seq)
      assert.ok(placeOf(seq, index) < endOf(seq) && endOf(seq) < placeOf(seq + 1, 0))
    }),
  )
})
