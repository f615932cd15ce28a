import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { didYouMean } from '../../src/cli/similar.ts'

describe('did you mean', () => {
  for (const [text, candidates, meant] of [
    ['acme-pm', ['acme-pms', 'vesta-tv'], 'acme-pms'],
    ['ACME-PMS', ['acme-pms'], 'acme-pms'],
    ['ATRIUM_PROT', ['ATRIUM_HOST', 'ATRIUM_PORT'], 'ATRIUM_PORT'],
    ['ATRIUM_DATABSE', ['ATRIUM_DATABASE'], 'ATRIUM_DATABASE'],
    ['vesta', ['acme-pms', 'vesta-bedside'], 'vesta-bedside'],
    ['', ['acme-pms'], undefined],
    ['zulu', ['acme-pms', 'vesta-tv'], undefined],
    ['x', ['y'], 'y'],
    ['acme', [], undefined],
  ] as const) {
    it(meant === undefined ? `has no idea for ${text}` : `${meant}, for ${text}`, () => {
      assert.equal(didYouMean(text, [...candidates]), meant === undefined ? '' : `: did you mean "${meant}"?`)
    })
  }
})
