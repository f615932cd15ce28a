import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EventIds, entryBefore, eventOffset, lastOffsetOf, newEventSecret } from '../../src/domain/room/event-offset.ts'

const secret = newEventSecret()
const names = new EventIds(secret, 'acme')
const someSeq = fc.integer({ min: 0, max: 2 ** 46 })
const someIndex = fc.integer({ min: 0, max: 62 })

test('an id and a cursor can be decrypted to their offset, for this partner only', () => {
  fc.assert(
    fc.property(someSeq, someIndex, (seq, index) => {
      const place = eventOffset(seq, index)
      assert.equal(names.read(names.id(place)), place)
      assert.equal(names.read(names.cursor(place)), place)
      assert.equal(new EventIds(secret, 'other').read(names.id(place)), undefined)
    }),
  )
})

test('an id is always the same, a cursor different each time', () => {
  assert.equal(names.id(640), new EventIds(secret, 'acme').id(640))
  assert.notEqual(names.cursor(640), names.cursor(640))
})

test('other text is neither an id nor a cursor', () => {
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

test('an offset is followed by the rest of its entry and all later ones', () => {
  fc.assert(
    fc.property(someSeq, someIndex, (seq, index) => {
      assert.equal(entryBefore(eventOffset(seq, index)), seq - 1)
      assert.equal(entryBefore(lastOffsetOf(seq)), seq)
      assert.ok(eventOffset(seq, index) < lastOffsetOf(seq) && lastOffsetOf(seq) < eventOffset(seq + 1, 0))
    }),
  )
})
