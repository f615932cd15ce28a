import { names } from '../harness/grant-names.ts'
import { scenarios } from '../harness/scenarios.ts'

const { read, write, rooms } = names

scenarios(
  'GET /v1/me',
  [
    {
      when: 'everything is granted everywhere',
      as: 'everything',
      request: 'GET /v1/me',
      status: 200,
      has: {
        partner: { id: 'everything', name: 'Sees all' },
        grants: [{ facility: '*', read, write, rooms }],
        contract: null,
        rate_limit: { per_second: 100, burst: 1000 },
      },
    },
    {
      when: 'grants add up per facility',
      as: 'hotelier',
      request: 'GET /v1/me/',
      status: 200,
      has: {
        grants: [
          { facility: 'lyon-01', read: ['ssid_public', 'address', 'areas'], write: ['name'], rooms: ['open_close'] },
          { facility: 'nice-02', read: ['areas'], write: [], rooms: ['open_close'] },
        ],
      },
    },
    { when: 'nothing is granted', as: 'stranger', request: 'GET /v1/me', status: 200, has: { grants: [] } },
    { when: 'a parameter is sent', as: 'stranger', request: 'GET /v1/me?x=1', status: 400, code: 'parameter_unknown' },
    { when: 'there is no token', request: 'GET /v1/me', status: 401, code: 'token_missing' },
  ],
  { settings: { ATRIUM_RATE_LIMIT: '100/s burst 1000' } },
)
