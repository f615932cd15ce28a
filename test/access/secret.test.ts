import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isInRanges } from '../../src/domain/access/address-range.ts'
import { canBeToken, hashIn, hashSecret, newSecret, publicIdOf } from '../../src/domain/access/token.ts'

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
      assert.equal(publicIdOf(kind, secret), id)
      assert.equal(publicIdOf(other, secret), undefined)
      assert.equal(publicIdOf(kind, `${secret.slice(0, -6)}000000`), undefined)
    }
    for (const text of ['', 'atr_', 'abc']) assert.equal(publicIdOf('atr', text), undefined)
  })
})

describe('a secret that may be a token', () => {
  const { secret } = newSecret('atr')
  const rows: [string, string, boolean][] = [
    ['one that Atrium issued', secret, true],
    ['one for a sandbox', newSecret('atr_test').secret, true],
    ['one with a typing mistake', `${secret.slice(0, -6)}000000`, false],
    ['one that was cut off', secret.slice(0, -1), false],
    ['an operator key', newSecret('atk').secret, false],
    ['an opaque one of 20 characters', 'x'.repeat(20), true],
    ['an opaque one of 19 characters', 'x'.repeat(19), false],
  ]
  for (const [what, text, expected] of rows) test(what, () => assert.equal(canBeToken(text), expected))
})

describe('a line with a SHA-256', () => {
  const hash = hashSecret('abc')
  const rows: [string, string, string | undefined][] = [
    ['is the hash alone', hash, hash],
    ['is what sha256sum prints', `${hash}  -`, hash],
    ['may be in capitals', ` ${hash.toUpperCase()}\r`, hash],
    ['is not a file name', `${hash}  token.txt`, undefined],
    ['is not cut off', hash.slice(1), undefined],
    ['is not the secret', 'an opaque secret of an older installation', undefined],
  ]
  for (const [what, line, expected] of rows) test(what, () => assert.equal(hashIn(line), expected))
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
