import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimezone, parseDateTime, type WindowEdge } from '../../src/domain/time.ts'

/** The input, the edge of the window, the time zone, and the expected instant; undefined when it is refused. */
const rows: [unknown, WindowEdge, string, string | undefined][] = [
  // With an offset the time zone is ignored.
  ['2026-11-15T08:30:00Z', 'start', 'Europe/Paris', '2026-11-15T08:30:00.000Z'],
  ['2026-11-15T08:30:00.123456Z', 'start', 'UTC', '2026-11-15T08:30:00.123Z'],
  ['2026-11-15T08:30Z', 'start', 'UTC', '2026-11-15T08:30:00.000Z'],
  ['2026-11-15t08:30:00z', 'start', 'UTC', '2026-11-15T08:30:00.000Z'],
  ['2026-11-15T08:30:00+01:00', 'end', 'Asia/Tokyo', '2026-11-15T07:30:00.000Z'],
  ['2026-11-15T08:30:00-0330', 'end', 'UTC', '2026-11-15T12:00:00.000Z'],
  ['2026-11-15T08:30:00+05', 'end', 'UTC', '2026-11-15T03:30:00.000Z'],
  // Without an offset the time is local to the facility.
  ['2026-11-15T08:30:00', 'start', 'Europe/Paris', '2026-11-15T07:30:00.000Z'],
  ['2026-07-15T08:30:00', 'start', 'Europe/Paris', '2026-07-15T06:30:00.000Z'],
  ['2026-11-15 08:30:00', 'start', 'Europe/Paris', '2026-11-15T07:30:00.000Z'],
  ['2026-11-15 08:30:00', 'start', 'America/New_York', '2026-11-15T13:30:00.000Z'],
  ['2026-11-15 08:30:00', 'start', 'Asia/Kolkata', '2026-11-15T03:00:00.000Z'],
  ['2026-11-15 08:30:00.5', 'start', 'Pacific/Apia', '2026-11-14T19:30:00.500Z'],
  // An ambiguous local time means its first occurrence; a skipped one moves forward.
  ['2026-10-25T02:30:00', 'start', 'Europe/Paris', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T03:00:00', 'start', 'Europe/Paris', '2026-10-25T02:00:00.000Z'],
  ['2026-03-29T02:30:00', 'start', 'Europe/Paris', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T03:30:00', 'start', 'Europe/Paris', '2026-03-29T01:30:00.000Z'],
  // A date is a whole local day, of 23 or 25 hours when the clocks change.
  ['2026-11-15', 'start', 'Europe/Paris', '2026-11-14T23:00:00.000Z'],
  ['2026-11-15', 'end', 'Europe/Paris', '2026-11-15T23:00:00.000Z'],
  ['2026-10-25', 'start', 'Europe/Paris', '2026-10-24T22:00:00.000Z'],
  ['2026-10-25', 'end', 'Europe/Paris', '2026-10-25T23:00:00.000Z'],
  ['2026-12-31', 'end', 'UTC', '2027-01-01T00:00:00.000Z'],
  ['2024-02-29', 'start', 'UTC', '2024-02-29T00:00:00.000Z'],
  // The extreme dates that other systems send for "no limit".
  ['9999-12-31T23:59:59Z', 'end', 'UTC', '9999-12-31T23:59:59.000Z'],
  ['9999-12-31', 'end', 'UTC', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31', 'end', 'Europe/Paris', '9999-12-31T23:00:00.000Z'],
  ['0001-01-01', 'start', 'UTC', '0001-01-01T00:00:00.000Z'],
  // Unix time in seconds or milliseconds.
  [1_763_193_600, 'start', 'Europe/Paris', '2025-11-15T08:00:00.000Z'],
  [1_763_193_600_123, 'start', 'Europe/Paris', '2025-11-15T08:00:00.123Z'],
  [1_763_193_600.5, 'start', 'UTC', '2025-11-15T08:00:00.500Z'],
  [0, 'start', 'UTC', '1970-01-01T00:00:00.000Z'],
  [-86_400, 'start', 'UTC', '1969-12-31T00:00:00.000Z'],
  // Invalid values.
  ...[
    '',
    'now',
    '2026',
    '2026-11',
    '20261115',
    '15.11.2026',
    '11/15/2026',
    '2026-13-01',
    '2026-02-29',
    '2026-11-31',
    '2026-11-15T24:00:00',
    '2026-11-15T08:60:00',
    '2026-11-15T08:30:60Z',
    '2026-11-15T08',
    '2026-11-15T08:30:00+25:00',
    ' 2026-11-15',
    '2026-11-15T08:30:00 Europe/Paris',
    '1763193600',
    '0000-01-01',
    '10000-01-01',
    true,
    null,
    undefined,
    {},
    [],
    NaN,
    Infinity,
    1e300,
  ].map((value): [unknown, WindowEdge, string, undefined] => [value, 'start', 'UTC', undefined]),
]

for (const [value, edge, zone, expected] of rows) {
  test(`${JSON.stringify(value)} as ${edge} in ${zone} is ${expected ?? 'refused'}`, () => {
    assert.equal(parseDateTime(value, edge, zone), expected)
  })
}

test('time zones are known by their names', () => {
  for (const name of ['UTC', 'Europe/Paris', 'America/Argentina/Buenos_Aires']) assert.ok(isTimezone(name), name)
  for (const name of ['', 'Paris', 'Europe/Nowhere', '+01:00', 'UTC+1']) assert.ok(!isTimezone(name), name)
})
