import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { entriesJson } from '../../src/domain/autocomplete-list.ts'
import { bytesOf, textOf } from '../../src/domain/bytes.ts'
import { packEntries, unpackEntries } from '../../src/domain/packed-list.ts'

const list = (count: number) =>
  entriesJson(
    'lyon-01',
    Array.from({ length: count }, (_, n) => ({ id: `${n}`, name: `Étage ${n % 7}, chambre ${n}` })),
  )

describe('the stored entries of a list', () => {
  for (const count of [0, 1, 100]) {
    test(`${count} of them as they are`, () => {
      assert.equal(textOf(packEntries(bytesOf(list(count)))), list(count))
      assert.equal(textOf(unpackEntries(bytesOf(list(count)))), list(count))
    })
  }

  for (const count of [1_000, 20_000]) {
    test(`${count} of them packed, in signs that both engines store as a text`, () => {
      const packed = packEntries(bytesOf(list(count)))
      assert.match(textOf(packed), /^deflate:\d+:[A-Za-z0-9+/=]+$/)
      assert.ok(packed.length < list(count).length / 4)
      assert.equal(textOf(unpackEntries(packed)), list(count))
    })
  }
})
