import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isFacilityId, naturalKey, newId, shortIdFault } from '../../src/domain/identifier.ts'

test('facility ids', () => {
  for (const id of ['a', '7', 'lyon-01', 'A.b_c-9', 'x'.repeat(64)]) assert.ok(isFacilityId(id), id)
  for (const id of ['', '-a', 'a-', '.a', 'a b', 'é', 'a/b', 'x'.repeat(65), 'a\n']) assert.ok(!isFacilityId(id), id)
})

test('short ids', () => {
  for (const id of ['1', 'A-1', 'Chambre é', '部屋', 'a b', '😀'.repeat(64), '%2F', '__proto__'])
    assert.equal(shortIdFault(id), undefined, id)
  for (const id of ['', ' a', 'a ', 'a/b', 'a\u0000', 'a\u0085', 'e\u0301', 'x'.repeat(65), '\ud800'])
    assert.ok(shortIdFault(id), id)
})

const sorted = (ids: string[]) =>
  ids.toSorted((a, b) => Buffer.compare(Buffer.from(naturalKey(a)), Buffer.from(naturalKey(b))))

test('natural order', () => {
  const ordered = ['1', '2', '10', '101', '1000', 'A1', 'a2', 'A10', 'B-2', 'B-10', 'B-10-1', 'bar', 'é']
  assert.deepEqual(sorted(ordered.toReversed()), ordered)
})

test('numbers of any length are in the order of their values', () => {
  const number = fc.bigInt({ min: 0n, max: 10n ** 60n })
  fc.assert(
    fc.property(number, number, (a, b) => {
      const [first] = sorted([`r${a}`, `r${b}`])
      assert.equal(first, `r${a < b ? a : b}`)
    }),
  )
})

test('new ids are UUIDv7 and in the order of time', () => {
  const early = newId(1_700_000_000_000)
  const late = newId(1_700_000_000_001)
  assert.match(early, /^018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(early < late)
})
