import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { harnesses } from './harnesses.ts'
import { root } from './plant.ts'

describe('every planted bug still fits the sources', () => {
  for (const { name, planted } of harnesses) {
    for (const bug of planted) {
      test(`${name}: ${bug.name}`, () => {
        const places = readFileSync(join(root, bug.file), 'utf8').split(bug.find).length - 1
        assert.equal(places, 1, `its text stands ${places} times in ${bug.file}`)
      })
    }
  }

  test('each harness has one', () => {
    const without = harnesses.filter(({ planted }) => planted.length === 0)
    assert.deepEqual(
      without.map(({ name }) => name),
      [],
    )
  })
})
