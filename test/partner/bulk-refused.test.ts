import assert from 'node:assert/strict'
import { type Scenario, scenarios } from '../harness/scenarios.ts'
import { room } from './bulk-calls.ts'

const request = 'POST /v1/facilities/chu-nord/areas/bulk'
const neverWas = '0192f0c1-2d3e-7abc-8def-0123456789ab'
const open = (short: string, more: object = {}) => ({ op: 'open', area: room(short), ...more })

/** A body of a wrong form, and the pointers to what is wrong with it. */
const malformed: [when: string, body: unknown, code: string, ...pointers: string[]][] = [
  ['an array', [], 'body_invalid', ''],
  ['an empty object', {}, 'body_invalid', '/mode', '/operations'],
  ['no operation', { mode: 'each', operations: [] }, 'body_invalid', '/operations'],
  ['another mode', { mode: 'some', operations: [open('214')] }, 'body_invalid', '/mode'],
  ['501 operations', { mode: 'each', operations: Array(501).fill(open('214')) }, 'limit_exceeded', '/operations'],
  [
    'a number that cannot be kept',
    `{"mode":"each","operations":[{"op":"add_services","area":"${room('214')}","services":[{"code":"x","n":12345678901234567890}]}]}`,
    'item_invalid',
    '',
  ],
]

scenarios('POST areas/bulk, refused as a whole', [
  ...malformed.map(
    ([when, body, code, ...pointers]): Scenario => ({
      when,
      as: 'ward',
      request,
      body,
      status: 400,
      code,
      check: ({ body: problem }) =>
        assert.deepEqual(
          problem.errors.map(({ pointer }: { pointer: string }) => pointer),
          pointers,
        ),
    }),
  ),
  {
    when: 'the facility is not granted',
    as: 'hotelier',
    request,
    body: 'never read',
    status: 403,
    code: 'facility_not_granted',
  },
  {
    when: 'the facility does not exist',
    as: 'everything',
    request: 'POST /v1/facilities/none/areas/bulk',
    status: 404,
    code: 'facility_not_found',
  },
  { when: 'the body is no JSON', as: 'ward', request, body: '{"mode":', status: 400, code: 'body_not_json' },
  ...['if-match', 'atrium-cycle'].map(
    (name): Scenario => ({
      when: `${name} names one room`,
      as: 'ward',
      request,
      headers: { [name]: name === 'if-match' ? '*' : neverWas },
      body: { mode: 'each', operations: [open('214')] },
      status: 400,
      code: 'header_invalid',
    }),
  ),
  {
    when: 'the operations would work on too many bytes',
    as: 'ward',
    request,
    body: {
      mode: 'each',
      operations: Array.from({ length: 500 }, (_, n) => ({
        op: 'add_services',
        area: room('214'),
        services: [{ code: `c-${n}`, note: 'x'.repeat(400) }],
      })),
    },
    status: 400,
    code: 'limit_exceeded',
  },
  { when: 'a query', as: 'ward', request: `${request}?mode=all`, status: 400, code: 'parameter_unknown' },
])
