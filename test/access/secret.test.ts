import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isInRanges } from '../../src/domain/access/address-range.ts'
import { hashSecret, newSecret, publicIdIn, publicIdOf } from '../../src/domain/access/token.ts'

describe('a secret', () => {
  test('is stored as its SHA-256', () => {
    assert.equal(hashSecret('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  test('has its public id after its kind, which must be the expected one', () => {
    for (const [kind, other] of [
      ['atr', 'atk'],
      ['atk', 'atr'],
    ] as const) {
      const { id, secret } = newSecret(kind)
      assert.equal(publicIdIn(secret), id)
      assert.equal(publicIdOf(kind, secret), id)
      assert.equal(publicIdOf(other, secret), undefined)
      assert.equal(publicIdOf(kind, `${secret.slice(0, -6)}000000`), undefined)
    }
    for (const text of ['', 'atr_', 'abc']) assert.equal(publicIdOf('atr', text), undefined)
  })
})

describe('an address is in ranges', () => {
  const rows: [string, string[], boolean][] = [
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['11.1.2.3', ['10.0.0.0/8', '11.0.0.0/8'], true],
    ['10.1.2.3', ['10.1.2.3/32'], true],
    ['10.1.2.4', ['10.1.2.3/32'], false],
    ['10.1.2.3', ['10.1.2.3'], true],
    ['10.1.2.4', ['10.1.2.3'], false],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    ['2001:db8::1', ['2001:db8::1'], true],
    ['2001:db8::2', ['2001:db8::1'], false],
    ['2001:db8::1', ['10.0.0.0/8', '2001:db8::/32'], true],
    ['10.1.2.3', ['2001:db8::/32', '10.0.0.0/8'], true],
    ['10.1.2.3', [], false],
    ['no address', ['0.0.0.0/0', '::/0'], false],
    ['', ['0.0.0.0/0', '::/0'], false],
  ]
  for (const [address, ranges, isIn] of rows) {
    test(`${address || 'none'} is ${isIn ? '' : 'not '}in ${ranges.join(' ') || 'none'}`, () => {
      assert.equal(isInRanges(address, ranges), isIn)
      assert.equal(isInRanges(address, ranges), isIn, 'asked again')
    })
  }
})
