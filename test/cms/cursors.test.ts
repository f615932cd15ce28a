import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

onEachEngine('cursors of the CMS', {}, (atrium) => {
  let admin = ''
  before(async () => {
    admin = (await addOperator(atrium(), 'admin')).key
    for (const name of ['One', 'Two', 'Three']) {
      await atrium().ask('PATCH /v1/facilities/lyon-01/name', { as: 'hotelier', body: { value: name } })
      const areas = { areas: [{ id: `c-${name}`, name }] }
      for (const facility of ['lyon-01', 'nice-02']) await ask(`POST /cms/v1/facilities/${facility}/areas`, areas)
    }
  })
  const ask = (request: string, body?: unknown) =>
    atrium().ask(request, { as: admin, ...(body !== undefined && { body }) })

  for (const [from, others] of [
    ['facilities?status=active', ['facilities', 'facilities?status=closed', 'facilities?status=active&sort=name']],
    ['facilities?sort=name', ['facilities?sort=-name', 'facilities?sort=name&q=l']],
    ['facilities/lyon-01/areas', ['facilities/nice-02/areas', 'facilities/lyon-01/areas?q=c', 'facilities']],
    ['partners', ['partners?q=e', 'facilities']],
    ['partners/everything/access', ['partners/hotelier/access', 'partners/everything/access?q=l']],
    ['audit', ['audit?facility=lyon-01', 'requests']],
  ] as const) {
    test(`of ${from}`, async () => {
      const and = (path: string) => `GET /cms/v1/${path}${path.includes('?') ? '&' : '?'}`
      const { headers } = await ask(`${and(from)}limit=1`)
      const cursor = /[?&]cursor=([\w-]+)/.exec(headers.get('link') ?? '')?.[1]
      assert.ok(cursor, 'there is a next page')
      for (const other of others) {
        const { status, body } = await ask(`${and(other)}limit=1&cursor=${cursor}`)
        assert.deepEqual([status, body.code], [400, 'parameter_invalid'], other)
      }
      assert.equal((await ask(`${and(from)}limit=2&cursor=${cursor}`)).status, 200, 'another length is the same list')
    })
  }
})
