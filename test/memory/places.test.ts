import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type KnownFacility, Places } from '../../src/storage/memory/facilities.ts'

function facility(): KnownFacility {
  const about = { id: 1, idExternal: 'f', timezone: 'UTC', roomServices: true, stamp: 0, isGone: false }
  return { ...about, answers: 0, seenBy: undefined, seenWith: undefined, used: false, bytes: 1 }
}

describe('where rooms are', () => {
  test('is remembered until the facility was forgotten', () => {
    const places = new Places(1000)
    const known = facility()
    places.keep('f-1', known, places.miss())
    assert.equal(places.get('f-1'), known)
    known.isGone = true
    assert.equal(places.get('f-1'), undefined)
  })

  test('is not remembered when something was forgotten while it was looked up', () => {
    for (const forget of ['forgetLoads', 'forgetAll'] as const) {
      const places = new Places(1000)
      const before = places.miss()
      places[forget]()
      places.keep('f-1', facility(), before)
      assert.equal(places.get('f-1'), undefined, forget)
    }
  })

  test('is forgotten with everything, and otherwise kept', () => {
    const places = new Places(1000)
    const known = facility()
    places.keep('f-1', known, places.miss())
    places.forgetLoads()
    assert.equal(places.get('f-1'), known)
    places.forgetAll()
    assert.equal(places.get('f-1'), undefined)
  })
})
