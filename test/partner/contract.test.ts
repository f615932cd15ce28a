import assert from 'node:assert/strict'
import { type Scenario, scenarios } from '../harness/scenarios.ts'

/** A contract that requires a bed and forbids unknown members. */
const contract = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['code', 'bed'],
  properties: {
    code: { enum: ['tv', 'net'] },
    bed: { type: 'integer', minimum: 1 },
    start: { type: 'integer' },
    mail: { type: 'string', format: 'email' },
  },
  unevaluatedProperties: false,
}
const grants = [{ facilities: ['h'], read: '*', write: '*', rooms: '*' }]
const estate = {
  facilities: [{ id_external: 'h', name: 'Hospital', room_services: true, areas: [{ id: '1', name: 'One' }] }],
  partners: [
    { id: 'strict', name: 'With a contract', contract, grants },
    { id: 'free', name: 'Without one', grants },
  ],
}
const post = (when: string, item: object, rest: Partial<Scenario> & { status: number }): Scenario => ({
  when,
  as: 'strict',
  request: 'POST /v1/areas/h-1/data_services',
  body: { value: JSON.stringify([item]) },
  ...rest,
})
const pointers =
  (expected: string[]) =>
  ({ body }: { body: { errors: { pointer: string }[] } }) =>
    assert.deepEqual(
      body.errors.map(({ pointer }) => pointer),
      expected,
    )

scenarios(
  'the contract in GET /v1/me',
  [
    {
      when: 'the partner has one',
      as: 'strict',
      request: 'GET /v1/me',
      status: 200,
      has: { contract },
    },
    { when: 'the partner has none', as: 'free', request: 'GET /v1/me', status: 200, has: { contract: null } },
  ],
  { estate },
)

scenarios(
  "a partner's contract",
  [
    post('an item keeps to it', { code: 'tv', bed: 2 }, { status: 200 }),
    post(
      'it sees the item as sent: start is still Unix time',
      { code: 'tv', bed: 2, start: 1763193600 },
      {
        status: 200,
        check: ({ body }) => assert.equal(body.services.data_services.at(-1).start, '2025-11-15T08:00:00.000Z'),
      },
    ),
    post('a sent id is dropped before it looks', { id: 'x', code: 'tv', bed: 2 }, { status: 200 }),
    post('a field is missing', { code: 'tv' }, { status: 400, code: 'item_invalid', check: pointers(['/value/0']) }),
    post(
      'a value is not allowed',
      { code: 'phone', bed: 1 },
      { status: 400, code: 'item_invalid', check: pointers(['/value/0/code']) },
    ),
    post(
      'a format does not fit',
      { code: 'tv', bed: 1, mail: 'nobody' },
      { status: 400, code: 'item_invalid', check: pointers(['/value/0/mail']) },
    ),
    post(
      'a field is not known',
      { code: 'tv', bed: 1, 'ex/tra': 1 },
      { status: 400, code: 'item_invalid', check: pointers(['/value/0/ex~1tra']) },
    ),
    post(
      'the common rules hold on top',
      { code: 'tv', bed: 1, start: 1763193600, end: 5 },
      { status: 400, code: 'item_invalid' },
    ),
    post('another partner is free of it', { code: 'phone' }, { as: 'free', status: 200 }),
  ],
  { estate },
)
