import assert from 'node:assert/strict'
import { scenarios } from '../harness/scenarios.ts'

const path = '/v1/facilities/lyon-01/areas_autocomplete_list'
const patch = `PATCH ${path}`
const value = (...ids: unknown[]) => ({ value: ids.map((id) => ({ id_external: id, name: `Room ${id}` })) })
const entry = (id: string, name = `Room ${id}`) => ({ id_external: `lyon-01-${id}`, name })

scenarios('GET areas_autocomplete_list', [
  {
    when: 'in the order in which it was written',
    as: 'everything',
    request: `GET ${path}`,
    status: 200,
    is: { areas_autocomplete_list: [entry('101', 'Suite Étoile'), entry('2')] },
  },
  { when: 'with a slash', as: 'everything', request: `GET ${path}/`, status: 200 },
  {
    when: 'no list was ever written',
    as: 'everything',
    request: 'GET /v1/facilities/chu-nord/areas_autocomplete_list',
    status: 200,
    is: { areas_autocomplete_list: [] },
  },
  {
    when: 'searched',
    as: 'everything',
    request: `GET ${path}?q=etoile`,
    status: 200,
    is: { areas_autocomplete_list: [entry('101', 'Suite Étoile')] },
  },
  {
    when: 'it is not granted',
    as: 'hotelier',
    request: `GET ${path}`,
    status: 403,
    code: 'not_granted',
    has: { required: { facility: 'lyon-01', read: 'areas_autocomplete_list' } },
  },
  { when: 'the facility is hidden', as: 'ward', request: `GET ${path}`, status: 403, code: 'facility_not_granted' },
  {
    when: 'a parameter is not known',
    as: 'everything',
    request: `GET ${path}?sort=name`,
    status: 400,
    code: 'parameter_unknown',
  },
  { when: 'there is no token', request: `GET ${path}`, status: 401, code: 'token_missing' },
])

scenarios('PATCH areas_autocomplete_list', [
  {
    when: 'the whole list is replaced, in the order sent, and returned as by the GET',
    as: 'everything',
    request: patch,
    body: value('9', '10', 'new room'),
    status: 200,
    is: { areas_autocomplete_list: [entry('9'), entry('10'), entry('new room')] },
    check: async (answer, { ask }) => {
      const read = await ask(`GET ${path}`, { as: 'everything' })
      assert.equal(read.text, answer.text)
      assert.equal(read.headers.get('etag'), answer.headers.get('etag'))
      const facility = await ask('GET /v1/facilities/lyon-01/', { as: 'everything' })
      assert.equal(facility.body.areas_autocomplete_list_count, 3)
    },
  },
  {
    when: 'the full id of a known entry is sent',
    as: 'everything',
    request: patch,
    body: value('lyon-01-new room'),
    status: 400,
    code: 'item_invalid',
    check: ({ body }) => assert.match(body.errors[0].detail, /did you mean "new room"/),
  },
  {
    when: 'other members of an entry are not stored',
    as: 'everything',
    request: patch,
    body: { value: [{ id_external: '1', name: 'One', x: 1 }], more: true },
    status: 200,
    is: { areas_autocomplete_list: [entry('1', 'One')] },
  },
  {
    when: 'the list is empty',
    as: 'everything',
    request: patch,
    body: { value: [] },
    status: 200,
    is: { areas_autocomplete_list: [] },
  },
  {
    when: 'ten thousand entries',
    as: 'everything',
    request: patch,
    body: value(...Array.from({ length: 10_000 }, (_, n) => `${n}`)),
    status: 200,
    check: ({ body }) => assert.equal(body.areas_autocomplete_list.length, 10_000),
  },
  {
    when: 'one more',
    as: 'everything',
    request: patch,
    body: value(...Array.from({ length: 10_001 }, (_, n) => `${n}`)),
    status: 400,
    code: 'limit_exceeded',
  },
  {
    when: 'the full id of a known area is sent',
    as: 'everything',
    request: patch,
    body: value('lyon-01-bar'),
    status: 400,
    code: 'item_invalid',
    check: ({ body }) => assert.match(body.errors[0].detail, /did you mean "bar"/),
  },
  {
    when: 'the full form of something unknown is only a long short id',
    as: 'everything',
    request: patch,
    body: value('lyon-01-unheard'),
    status: 200,
    is: { areas_autocomplete_list: [entry('lyon-01-unheard')] },
  },
  {
    when: 'an id is repeated',
    as: 'everything',
    request: patch,
    body: value('1', '2', '1'),
    status: 400,
    code: 'item_invalid',
    check: ({ body }) => assert.equal(body.errors[0].pointer, '/value/2/id_external'),
  },
  {
    when: 'value is missing',
    as: 'everything',
    request: patch,
    body: { values: [] },
    status: 400,
    code: 'value_missing',
  },
  {
    when: 'value is a string',
    as: 'everything',
    request: patch,
    body: { value: '[]' },
    status: 400,
    code: 'value_not_array',
  },
  {
    when: 'an entry is no object',
    as: 'everything',
    request: patch,
    body: { value: [{ id_external: '1', name: 'One' }, 'x', []] },
    status: 400,
    code: 'item_not_object',
    check: ({ body }) =>
      assert.deepEqual(
        body.errors.map(({ pointer }: { pointer: string }) => pointer),
        ['/value/1', '/value/2'],
      ),
  },
  {
    when: 'an id is missing',
    as: 'everything',
    request: patch,
    body: { value: [{ name: 'One' }] },
    status: 400,
    code: 'item_invalid',
  },
  {
    when: 'an id is a number',
    as: 'everything',
    request: patch,
    body: { value: [{ id_external: 101, name: 'One' }] },
    status: 400,
    code: 'item_invalid',
  },
  ...['', ' 1', '1 ', 'a/b', 'a\tb', 'e\u0301', 'x'.repeat(65)].map((id) => ({
    when: `the id is ${JSON.stringify(id)}`,
    as: 'everything',
    request: patch,
    body: value(id),
    status: 400,
    code: 'item_invalid',
  })),
  {
    when: 'a name is empty',
    as: 'everything',
    request: patch,
    body: { value: [{ id_external: '1', name: '' }] },
    status: 400,
    code: 'item_invalid',
  },
  {
    when: 'a name is too long',
    as: 'everything',
    request: patch,
    body: { value: [{ id_external: '1', name: 'x'.repeat(256) }] },
    status: 400,
    code: 'item_invalid',
  },
  {
    when: 'no partner here may read it',
    as: 'hotelier',
    request: patch,
    body: value('1'),
    status: 403,
    code: 'not_granted',
    has: { required: { facility: 'lyon-01', write: 'areas_autocomplete_list' } },
  },
  {
    when: 'the facility is hidden',
    as: 'ward',
    request: patch,
    body: value('1'),
    status: 403,
    code: 'facility_not_granted',
  },
  {
    when: 'the facility does not exist',
    as: 'everything',
    request: 'PATCH /v1/facilities/none/areas_autocomplete_list',
    body: value('1'),
    status: 404,
    code: 'facility_not_found',
  },
  { when: 'there is no token', request: patch, body: value('1'), status: 401, code: 'token_missing' },
])
