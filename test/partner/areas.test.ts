import assert from 'node:assert/strict'
import { type Scenario, scenarios } from '../harness/scenarios.ts'

const ids = (rows: { id_external: string }[]) => rows.map(({ id_external }) => id_external)

scenarios('GET /v1/facilities/{id}/areas', [
  {
    when: 'in natural order, with full ids and empty arrays',
    as: 'everything',
    request: 'GET /v1/facilities/lyon-01/areas',
    status: 200,
    check: ({ body }) => {
      assert.deepEqual(ids(body), ['lyon-01-2', 'lyon-01-10', 'lyon-01-101', 'lyon-01-bar'])
      const { date_created, date_updated, ...bar } = body[3]
      assert.deepEqual(bar, {
        id_external: 'lyon-01-bar',
        name: 'Lounge bar',
        opened_at: null,
        cycle: null,
        data_services: [],
        data_general: [],
      })
      assert.ok(date_created <= date_updated)
      assert.deepEqual(body[2].data_general, [{ floor: 1 }])
    },
  },
  {
    when: 'services are shown in the room they belong to',
    as: 'ward',
    request: 'GET /v1/facilities/chu-nord/areas',
    status: 200,
    check: async (_, { ask }) => {
      const value = JSON.stringify([{ code: 'tv', end: '2026-12-01' }, { code: 'net' }])
      await ask('POST /v1/areas/chu-nord-215/data_services', { as: 'ward', body: { value } })
      const { body } = await ask('GET /v1/facilities/chu-nord/areas', { as: 'ward' })
      assert.deepEqual(
        body.map((area: { data_services: { code: string }[] }) => area.data_services.map(({ code }) => code)),
        [[], ['tv', 'net'], []],
      )
      assert.equal(body[1].data_services[0].end, '2026-12-01T23:00:00.000Z')
    },
  },
  {
    when: 'with a slash',
    as: 'hotelier',
    request: 'GET /v1/facilities/nice-02/areas/',
    status: 200,
    check: ({ body }) => assert.deepEqual(ids(body), ['nice-02-A-1']),
  },
  {
    when: 'searched by the beginning of a word',
    as: 'everything',
    request: 'GET /v1/facilities/lyon-01/areas?q=bar',
    status: 200,
    check: ({ body }) => assert.deepEqual(ids(body), ['lyon-01-bar']),
  },
  {
    when: 'searched without accents',
    as: 'everything',
    request: 'GET /v1/facilities/lyon-01/areas?q=ETOI',
    status: 200,
    check: ({ body }) => assert.deepEqual(ids(body), ['lyon-01-101']),
  },
  {
    when: 'searched by short id',
    as: 'everything',
    request: 'GET /v1/facilities/lyon-01/areas?q=10',
    status: 200,
    check: ({ body }) => assert.deepEqual(ids(body), ['lyon-01-10', 'lyon-01-101']),
  },
  ...[
    ['the full id', 'lyon-01-101', ['lyon-01-101']],
    ['the beginning of a full id', 'LYON-01-10', ['lyon-01-10', 'lyon-01-101']],
    ['no more than the facility, which all full ids begin with', 'lyon', []],
    ['the full id of another facility', 'chu-nord-214', []],
  ].map(
    ([what, q, found]): Scenario => ({
      when: `searched by ${what}`,
      as: 'everything',
      request: `GET /v1/facilities/lyon-01/areas?q=${q}`,
      status: 200,
      check: ({ body }) => assert.deepEqual(ids(body), found),
    }),
  ),
  {
    when: 'the middle of a word does not count',
    as: 'everything',
    request: 'GET /v1/facilities/lyon-01/areas?q=oom',
    status: 200,
    is: [],
  },
  {
    when: 'the search is empty',
    as: 'everything',
    request: 'GET /v1/facilities/lyon-01/areas?q=',
    status: 400,
    code: 'parameter_invalid',
  },
  {
    when: 'read: areas is not granted',
    as: 'bare',
    request: 'GET /v1/facilities/lyon-01/areas',
    status: 403,
    code: 'not_granted',
    has: { required: { facility: 'lyon-01', read: 'areas' } },
    check: ({ headers }) =>
      assert.equal(headers.get('www-authenticate'), 'Bearer realm="atrium", error="insufficient_scope"'),
  },
  {
    when: 'the facility is hidden',
    as: 'ward',
    request: 'GET /v1/facilities/lyon-01/areas',
    status: 403,
    code: 'facility_not_granted',
  },
  {
    when: 'the facility does not exist',
    as: 'everything',
    request: 'GET /v1/facilities/none/areas',
    status: 404,
    code: 'facility_not_found',
  },
  {
    when: 'a parameter is not known',
    as: 'ward',
    request: 'GET /v1/facilities/chu-nord/areas?status=open',
    status: 400,
    code: 'parameter_unknown',
    has: { known: ['limit', 'cursor', 'q', 'open', 'service', 'changed_since', 'active_at'] },
  },
  { when: 'there is no token', request: 'GET /v1/facilities/lyon-01/areas', status: 401, code: 'token_missing' },
])

scenarios('GET /v1/areas/{id}/', [
  {
    when: 'it is visible',
    as: 'ward',
    request: 'GET /v1/areas/chu-nord-214/',
    status: 200,
    has: {
      id_external: 'chu-nord-214',
      name: 'Room 214',
      opened_at: null,
      cycle: null,
      data_services: [],
      data_general: [{ ward: 'Cardiology' }],
    },
  },
  {
    when: 'both halves of the id have hyphens',
    as: 'everything',
    request: 'GET /v1/areas/nice-02-A-1/',
    status: 200,
    has: { id_external: 'nice-02-A-1' },
  },
  { when: 'without the slash', as: 'ward', request: 'GET /v1/areas/chu-nord-214', status: 200 },
  {
    when: 'it is in a hidden facility',
    as: 'ward',
    request: 'GET /v1/areas/lyon-01-101/',
    status: 404,
    code: 'area_not_found',
    hides: ['Suite'],
  },
  {
    when: 'it does not exist',
    as: 'ward',
    request: 'GET /v1/areas/chu-nord-999/',
    status: 404,
    code: 'area_not_found',
  },
  {
    when: 'the id holds U+0000',
    as: 'everything',
    request: 'GET /v1/areas/chu-nord-%00/',
    status: 404,
    code: 'area_not_found',
  },
  {
    when: 'read: areas is not granted',
    as: 'bare',
    request: 'GET /v1/areas/lyon-01-101/',
    status: 403,
    code: 'not_granted',
    has: { required: { facility: 'lyon-01', read: 'areas' } },
  },
  {
    when: 'a parameter is not known',
    as: 'ward',
    request: 'GET /v1/areas/chu-nord-214/?x=1',
    status: 400,
    code: 'parameter_unknown',
  },
  { when: 'there is no token', request: 'GET /v1/areas/chu-nord-214/', status: 401, code: 'token_missing' },
])
