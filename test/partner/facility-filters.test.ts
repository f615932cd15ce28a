import assert from 'node:assert/strict'
import { scenarios } from '../harness/scenarios.ts'

const ids = (rows: { id_external: string }[]) => rows.map(({ id_external }) => id_external)

scenarios('GET /v1/facilities/?type=', [
  {
    when: 'filtered by type',
    as: 'everything',
    request: 'GET /v1/facilities/?type=hospital',
    status: 200,
    check: ({ body }) => assert.deepEqual(ids(body), ['chu-nord']),
  },
  {
    when: 'type, status and search together',
    as: 'everything',
    request: 'GET /v1/facilities/?type=residence&status=suspended&q=port',
    status: 200,
    check: ({ body }) => assert.deepEqual(ids(body), ['nice-02']),
  },
  {
    when: 'no grant lets the type be read',
    as: 'hotelier',
    request: 'GET /v1/facilities/?type=hotel',
    status: 403,
    code: 'not_granted',
    has: { required: { read: 'type' } },
  },
  {
    when: 'the type is no word',
    as: 'everything',
    request: 'GET /v1/facilities/?type=Hotel',
    status: 400,
    code: 'parameter_invalid',
  },
])
