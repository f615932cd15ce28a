import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseExpiry, parseGrace } from '../../src/cli/access/expiry.ts'
import { Failure } from '../../src/cli/failure.ts'

const now = Date.parse('2026-11-15T08:30:00.000Z')

describe('--expires', () => {
  for (const [text, expiry] of [
    ['90d', '2027-02-13T08:30:00.000Z'],
    ['12h', '2026-11-15T20:30:00.000Z'],
    ['30m', '2026-11-15T09:00:00.000Z'],
    ['45s', '2026-11-15T08:30:45.000Z'],
    ['2w', '2026-11-29T08:30:00.000Z'],
    ['2027-01-01', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T12:00:00+02:00', '2027-01-01T10:00:00.000Z'],
    ['never', null],
  ] as const) {
    it(`${text} is ${expiry ?? 'no end'}`, () => assert.equal(parseExpiry(text, now), expiry))
  }

  for (const [text, message] of [
    ['', /is not a time for --expires: use a duration such as 90d/],
    ['soon', /"soon" is not a time for --expires/],
    ['1y', /is not a time for --expires/],
    ['-1d', /is not a time for --expires/],
    ['1.5d', /is not a time for --expires/],
    ['2027-02-30', /is not a time for --expires/],
    ['01/02/2027', /is not a time for --expires/],
    ['0d', /is not in the future/],
    ['2026-11-15', /is not in the future/],
    ['2020-01-01', /is not in the future/],
    ['999999999999w', /more than 100 years away/],
    ['9000-01-01', /more than 100 years away/],
  ] as const) {
    it(`refuses "${text}"`, () => {
      assert.throws(
        () => parseExpiry(text, now),
        (error) => error instanceof Failure && message.test(error.message),
      )
    })
  }
})

describe('--grace', () => {
  for (const [text, seconds] of [
    ['7d', 604_800],
    ['12h', 43_200],
    ['0', 0],
    ['0s', 0],
  ] as const) {
    it(`${text} is ${seconds} seconds`, () => assert.equal(parseGrace(text), seconds))
  }

  for (const text of ['', '7', 'never', '1y', '2027-01-01', '-1d', '999999999999w']) {
    it(`refuses "${text}"`, () => assert.throws(() => parseGrace(text), Failure))
  }
})
