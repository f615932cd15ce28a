import assert from 'node:assert/strict'
import { type Scenario, scenarios } from '../harness/scenarios.ts'

const lyon = { id: 11, id_external: 'lyon-01', name: 'Hôtel Bellecour', status: 'active' }
const chu = { id: 12, id_external: 'chu-nord', name: 'CHU Nord', status: 'active' }
const nice = { id: 13, id_external: 'nice-02', name: 'Résidence du Port', status: 'suspended' }

scenarios('GET /v1/facilities/', [
  {
    when: 'a grant covers every facility',
    as: 'everything',
    request: 'GET /v1/facilities/',
    status: 200,
    is: [lyon, chu, nice],
  },
  { when: 'grants name facilities', as: 'hotelier', request: 'GET /v1/facilities/', status: 200, is: [lyon, nice] },
  { when: 'there is one', as: 'ward', request: 'GET /v1/facilities/', status: 200, is: [chu] },
  { when: 'there are no grants', as: 'stranger', request: 'GET /v1/facilities/', status: 200, is: [] },
  { when: 'without the slash', as: 'ward', request: 'GET /v1/facilities', status: 200, is: [chu] },
  {
    when: 'filtered by status',
    as: 'everything',
    request: 'GET /v1/facilities/?status=suspended',
    status: 200,
    is: [nice],
  },
  { when: 'nothing has the status', as: 'hotelier', request: 'GET /v1/facilities/?status=closed', status: 200, is: [] },
  {
    when: 'the filter reaches no further than the grants',
    as: 'ward',
    request: 'GET /v1/facilities/?status=suspended',
    status: 200,
    is: [],
  },
  ...[
    ['a word of the name', 'BELLE', [lyon]],
    ['the id', 'chu-nord', [chu]],
    ['the name without accents', 'residence', [nice]],
    ['what is in the middle of words', 'ellecour', []],
  ].map(
    ([what, q, found]): Scenario => ({
      when: `searched by ${what}`,
      as: 'everything',
      request: `GET /v1/facilities/?q=${q}`,
      status: 200,
      is: found,
    }),
  ),
  {
    when: 'a search, a filter and a limit together',
    as: 'everything',
    request: 'GET /v1/facilities/?q=d&status=suspended&limit=1',
    status: 200,
    is: [nice],
    check: ({ headers }) => assert.equal(headers.get('link'), null),
  },
  {
    when: 'a search reaches no further than the grants',
    as: 'ward',
    request: 'GET /v1/facilities/?q=lyon-01',
    status: 200,
    is: [],
  },
  {
    when: 'the status is no word',
    as: 'ward',
    request: 'GET /v1/facilities/?status=Active',
    status: 400,
    code: 'parameter_invalid',
  },
  {
    when: 'a parameter is mistyped',
    as: 'ward',
    request: 'GET /v1/facilities/?stauts=active',
    status: 400,
    code: 'parameter_unknown',
    has: { known: ['limit', 'cursor', 'status', 'type', 'q'] },
  },
  {
    when: 'a parameter belongs elsewhere',
    as: 'ward',
    request: 'GET /v1/facilities/?active_at=now',
    status: 400,
    code: 'parameter_unknown',
  },
  {
    when: 'a parameter is repeated',
    as: 'ward',
    request: 'GET /v1/facilities/?limit=1&limit=2',
    status: 400,
    code: 'parameter_invalid',
  },
  { when: 'there is no token', request: 'GET /v1/facilities/', status: 401, code: 'token_missing' },
])

scenarios('GET /v1/facilities/{id}/', [
  {
    when: 'everything is granted',
    as: 'everything',
    request: 'GET /v1/facilities/lyon-01/',
    status: 200,
    check: ({ body: { date_created, date_updated, ...rest } }) => {
      assert.match(date_created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.match(date_updated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepEqual(rest, {
        ...lyon,
        ssid_public: 'Bellecour Guest',
        address: { street: '20 place Bellecour', postal_code: '69002', city: 'Lyon', region: null, country: 'FR' },
        subscription_url: 'https://portal.example/lyon-01',
        type: 'hotel',
        subscribed: true,
        devices: [
          { id: 'tv-101', type: 'tv', model: 'X1', serial: '0001', status: 'online', area_id_external: 'lyon-01-101' },
          { id: 'ap-1', type: 'access_point', model: null, serial: null, status: null, area_id_external: null },
        ],
        areas_count: 4,
        areas_autocomplete_list_count: 2,
      })
    },
  },
  {
    when: 'several grants add up',
    as: 'hotelier',
    request: 'GET /v1/facilities/lyon-01/',
    status: 200,
    is: {
      ...lyon,
      ssid_public: 'Bellecour Guest',
      address: { street: '20 place Bellecour', postal_code: '69002', city: 'Lyon', region: null, country: 'FR' },
      areas_count: 4,
    },
  },
  {
    when: 'a grant on one facility does not reach another',
    as: 'hotelier',
    request: 'GET /v1/facilities/nice-02/',
    status: 200,
    is: { ...nice, areas_count: 1 },
  },
  {
    when: 'nothing beyond the summary is granted',
    as: 'bare',
    request: 'GET /v1/facilities/lyon-01/',
    status: 200,
    is: lyon,
  },
  { when: 'without the slash', as: 'bare', request: 'GET /v1/facilities/lyon-01', status: 200, is: lyon },
  { when: 'percent-encoded', as: 'bare', request: 'GET /v1/facilities/lyon%2D01/', status: 200, is: lyon },
  {
    when: 'values that are absent are null',
    as: 'everything',
    request: 'GET /v1/facilities/chu-nord/',
    status: 200,
    has: { ssid_public: null, address: null, subscription_url: null, devices: [], areas_autocomplete_list_count: 0 },
  },
  {
    when: 'the facility is hidden',
    as: 'ward',
    request: 'GET /v1/facilities/lyon-01/',
    status: 403,
    code: 'facility_not_granted',
    hides: ['Bellecour'],
  },
  {
    when: 'the facility does not exist',
    as: 'ward',
    request: 'GET /v1/facilities/lyon-99/',
    status: 403,
    code: 'facility_not_granted',
  },
  {
    when: 'it does not exist and nothing is hidden from the partner',
    as: 'everything',
    request: 'GET /v1/facilities/lyon-99/',
    status: 404,
    code: 'facility_not_found',
  },
  {
    when: 'ids are compared byte by byte',
    as: 'everything',
    request: 'GET /v1/facilities/LYON-01/',
    status: 404,
    code: 'facility_not_found',
  },
  {
    when: 'the id cannot be one',
    as: 'everything',
    request: 'GET /v1/facilities/%00/',
    status: 404,
    code: 'facility_not_found',
  },
  {
    when: 'the id cannot be one and the partner is small',
    as: 'bare',
    request: 'GET /v1/facilities/a%2Fb/',
    status: 403,
    code: 'facility_not_granted',
  },
  {
    when: 'a parameter is not known',
    as: 'bare',
    request: 'GET /v1/facilities/lyon-01/?fields=*',
    status: 400,
    code: 'parameter_unknown',
    has: { known: [] },
  },
  {
    when: 'refused before its query is read',
    as: 'ward',
    request: 'GET /v1/facilities/lyon-01/?fields=*',
    status: 403,
    code: 'facility_not_granted',
  },
  { when: 'there is no token', request: 'GET /v1/facilities/lyon-01/', status: 401, code: 'token_missing' },
])

scenarios('hidden and absent facilities', [
  {
    when: 'both responses have the same bytes',
    as: 'ward',
    request: 'GET /v1/facilities/lyon-01/',
    headers: { 'x-request-id': 'same' },
    status: 403,
    check: async (hidden, { ask }) => {
      const absent = await ask('GET /v1/facilities/lyon-99/', { as: 'ward', headers: { 'x-request-id': 'same' } })
      assert.equal(absent.text, hidden.text)
      const names = (headers: Headers) => [...headers].filter(([name]) => name !== 'date')
      assert.deepEqual(names(absent.headers), names(hidden.headers))
    },
  },
])
