import assert from 'node:assert/strict'
import { scenarios } from '../harness/scenarios.ts'

const path = '/v1/areas/chu-nord-214/data_services'
const post = `POST ${path}`
const legacy = (...items: unknown[]) => ({ value: JSON.stringify(items) })
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const added = (answer: { body: { services: { data_services: Record<string, unknown>[] } } }) =>
  answer.body.services.data_services.at(-1)

scenarios('POST data_services', [
  {
    when: 'a subscription is added',
    as: 'ward',
    request: post,
    body: legacy({ code: 'tv', label: 'TV', start: '2026-11-15T08:30:00Z', end: '2026-11-20T08:30:00+01:00' }),
    status: 200,
    check: async (answer, { ask }) => {
      assert.match(answer.body.info, /added to room chu-nord-214/)
      const { id, ...rest } = added(answer) ?? {}
      assert.match(String(id), uuid)
      assert.deepEqual(rest, {
        code: 'tv',
        label: 'TV',
        status: 'active',
        start: '2026-11-15T08:30:00.000Z',
        end: '2026-11-20T07:30:00.000Z',
      })
      const area = await ask('GET /v1/areas/chu-nord-214/', { as: 'ward' })
      assert.deepEqual(area.body.data_services, answer.body.services.data_services)
      assert.equal(area.headers.get('etag'), answer.headers.get('etag'))
    },
  },
  {
    when: 'only the code is sent',
    as: 'ward',
    request: post,
    body: legacy({ code: 'net' }),
    status: 200,
    check: (answer) =>
      assert.deepEqual(
        { ...added(answer), id: 0 },
        { id: 0, code: 'net', label: null, status: 'active', start: null, end: null },
      ),
  },
  {
    when: 'null means none',
    as: 'ward',
    request: post,
    body: legacy({ code: 'net', label: null, status: null, start: null, end: null }),
    status: 200,
    check: (answer) =>
      assert.deepEqual(
        { ...added(answer), id: 0 },
        { id: 0, code: 'net', label: null, status: 'active', start: null, end: null },
      ),
  },
  {
    when: 'a sent id is dropped',
    as: 'ward',
    request: post,
    body: legacy({ id: 'mine', code: 'net' }),
    status: 200,
    check: (answer) => assert.match(String(added(answer)?.id), uuid),
  },
  {
    when: 'other fields are stored unchanged',
    as: 'ward',
    request: post,
    body: legacy({ code: 'x', price: 4.5, tags: ['a', { b: null }], note: 'ü😀', ok: true }),
    status: 200,
    check: (answer) =>
      assert.deepEqual(
        { ...added(answer), id: 0 },
        {
          id: 0,
          code: 'x',
          label: null,
          status: 'active',
          start: null,
          end: null,
          price: 4.5,
          tags: ['a', { b: null }],
          note: 'ü😀',
          ok: true,
        },
      ),
  },
  {
    when: 'an empty array adds nothing',
    as: 'ward',
    request: post,
    body: { value: '[]' },
    status: 200,
    check: async (answer, { ask }) =>
      assert.deepEqual(
        (await ask(`GET ${path}`, { as: 'ward' })).body.data_services,
        answer.body.services.data_services,
      ),
  },
  {
    when: 'keys other than value are ignored',
    as: 'ward',
    request: post,
    body: { ...legacy({ code: 'a' }), replace: true },
    status: 200,
  },
  { when: 'with a slash', as: 'ward', request: `${post}/`, body: legacy({ code: 'a' }), status: 200 },
])
