import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseAddressRange } from '../../src/domain/access/address-range.ts'
import { hashSecret, isUsable, newSecret, publicIdOf } from '../../src/domain/access/token.ts'

describe('a token', () => {
  it('has the form that secret scanners look for', () => {
    const { id, secret } = newSecret('atr')
    assert.match(secret, /^atr_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/)
    assert.equal(secret.slice(4, 12), id)
    assert.equal(publicIdOf('atr', secret), id)
  })

  it('has a checksum that stays the same from version to version', () => {
    const known = `atr_00000000_${'0'.repeat(43)}0NU8Za`
    const mistyped = [known.slice(0, -1), `${known}0`, known.replace('00000000', '00000001'), known.toUpperCase()]
    assert.equal(publicIdOf('atr', known), '00000000')
    for (const secret of mistyped) assert.equal(publicIdOf('atr', secret), undefined, secret)
  })

  it('is distinguished from a mistyped one wherever the mistake is', () => {
    const { secret } = newSecret('atr')
    for (let at = 0; at < secret.length; at++) {
      const other = secret[at] === 'x' ? 'y' : 'x'
      assert.equal(publicIdOf('atr', secret.slice(0, at) + other + secret.slice(at + 1)), undefined)
    }
  })

  it('is never created twice, and is stored as a SHA-256 only', () => {
    const made = Array.from({ length: 1000 }, newSecret)
    assert.equal(new Set(made.map(({ secret }) => secret)).size, made.length)
    for (const { secret, hash } of made) assert.equal(hash, hashSecret(secret))
    assert.equal(hashSecret('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  const now = '2026-11-15T08:30:00.000Z'
  for (const { when, expiresAt = null, revokedAt = null, usable } of [
    { when: 'it never expires', usable: true },
    { when: 'its end is a millisecond away', expiresAt: '2026-11-15T08:30:00.001Z', usable: true },
    { when: 'its end is now', expiresAt: now, usable: false },
    { when: 'it has expired', expiresAt: '2026-11-15T08:29:59.999Z', usable: false },
    { when: 'it was revoked', revokedAt: '2026-11-15T08:00:00.000Z', usable: false },
    { when: 'it was revoked before its end', expiresAt: '2027-01-01T00:00:00.000Z', revokedAt: now, usable: false },
  ]) {
    it(`${usable ? 'works' : 'does not work'} when ${when}`, () => {
      assert.equal(isUsable({ expiresAt, revokedAt }, now), usable)
    })
  }
})

describe('an address range', () => {
  for (const [text, range] of [
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['192.0.2.7', '192.0.2.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['::1', '::1/128'],
    ['10.0.0.0/33', undefined],
    ['::/129', undefined],
    ['10.0.0.0/', undefined],
    ['10.0.0.0/-1', undefined],
    ['10.0.0/8', undefined],
    ['10.0.0.0 - 10.0.0.9', undefined],
    ['fe80::1%eth0', undefined],
    ['localhost', undefined],
    ['', undefined],
  ] as const) {
    it(range === undefined ? `is not "${text}"` : `"${text}" is kept as ${range}`, () => {
      assert.equal(parseAddressRange(text), range)
    })
  }
})
