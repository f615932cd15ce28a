import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { networkOf } from '../../src/domain/access/address-range.ts'

const rows: [string, string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
  ['2001:0DB8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:db8::1:2:3', '2001:db8:0:0::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
]

describe('the network of an address', () => {
  for (const [address, network] of rows) {
    test(`${address || 'none'}: ${network || 'none'}`, () => assert.equal(networkOf(address), network))
  }
})
