import assert from 'node:assert/strict'
import type { TestAtrium } from '../harness/atrium.ts'
import { estate } from '../harness/estate.ts'
import { scenarios } from '../harness/scenarios.ts'

const path = '/v1/facilities/lyon-01/areas_autocomplete_list'
const value = (...ids: string[]) => ({ value: ids.map((id) => ({ id_external: id, name: `Room ${id}` })) })
const entry = (id: string, name = `Room ${id}`) => ({ id_external: `lyon-01-${id}`, name })
const listOf = async (answer: unknown, { ask }: TestAtrium) => {
  const { body } = await ask(`GET ${path}`, { as: 'everything' })
  assert.deepEqual(body.areas_autocomplete_list, [entry('101', 'Suite Étoile'), entry('2')], JSON.stringify(answer))
}
const patch = `PATCH ${path}`
const dryRun = `${patch}?dry_run=true`
const writer = { facilities: ['lyon-01'], read: [], write: ['areas_autocomplete_list'], rooms: [] }

scenarios(
  'PATCH areas_autocomplete_list?dry_run=true',
  [
    {
      when: 'it reports the changes, and makes none',
      as: 'everything',
      request: dryRun,
      body: { value: [{ id_external: '2', name: 'Two' }, ...value('3').value] },
      status: 200,
      is: {
        added: [entry('3')],
        removed: [entry('101', 'Suite Étoile')],
        renamed: [{ id_external: 'lyon-01-2', old: 'Room 2', new: 'Two' }],
        complete: true,
      },
      check: listOf,
    },
    {
      when: 'it names all, however many',
      as: 'everything',
      request: dryRun,
      body: value(...Array.from({ length: 1000 }, (_, n) => `x${n}`)),
      status: 200,
      check: ({ body }) => assert.deepEqual([body.added.length, body.complete], [1000, true]),
    },
    {
      when: 'false is as without it',
      as: 'everything',
      request: `${patch}?dry_run=false`,
      body: { value: [] },
      status: 200,
      is: { areas_autocomplete_list: [] },
    },
    {
      when: 'neither',
      as: 'everything',
      request: `${patch}?dry_run=1`,
      body: value('1'),
      status: 400,
      code: 'parameter_invalid',
    },
    {
      when: 'the body is no list',
      as: 'everything',
      request: dryRun,
      body: { value: 'x' },
      status: 400,
      code: 'value_not_array',
    },
    {
      when: 'it has moved on',
      as: 'everything',
      request: dryRun,
      body: value('1'),
      headers: { 'if-match': '"other"' },
      status: 412,
      code: 'precondition_failed',
    },
    {
      when: 'the list may be replaced and not be read',
      as: 'writer',
      request: dryRun,
      body: value('1'),
      status: 403,
      code: 'not_granted',
      has: { required: { facility: 'lyon-01', read: 'areas_autocomplete_list' } },
      hides: ['Suite'],
    },
  ],
  { estate: { ...estate, partners: [...estate.partners, { id: 'writer', name: 'Writes', grants: [writer] }] } },
)
