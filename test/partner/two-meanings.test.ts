import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

const list = { read: ['areas_autocomplete_list'], write: ['areas_autocomplete_list'], rooms: [] }
const partner = (id: string, facilities: unknown) => ({ id, name: id, grants: [{ facilities, ...list }] })

const estate = {
  facilities: [
    { id_external: 'a', name: 'A', areas: [{ id: 'b-c-w', name: 'W' }] },
    { id_external: 'a-b', name: 'A-B', areas: [{ id: 'e', name: 'E' }] },
    { id_external: 'a-b-c', name: 'A-B-C', areas: [{ id: 'z', name: 'Z' }] },
  ],
  partners: [partner('both', ['a', 'a-b', 'a-b-c']), partner('all', '*'), partner('one', ['a', 'a-b-c'])],
}

onEachEngine('an entry with the full id of a room elsewhere', { estate }, (atrium) => {
  const path = (facility: string) => `/v1/facilities/${facility}/areas_autocomplete_list`
  const value = (ids: string[]) => ({ value: ids.map((id) => ({ id_external: id, name: id })) })
  const patch = (as: string, facility: string, ids: string[], query = '') =>
    atrium().ask(`PATCH ${path(facility)}${query}`, { as, body: value(ids) })
  const stored = async (facility: string) => (await atrium().ask(`GET ${path(facility)}`, { as: 'all' })).body

  for (const as of ['both', 'all']) {
    test(`is refused where both facilities are seen, and nothing changes (${as})`, async () => {
      const before = await stored('a')
      for (const query of ['', '?dry_run=true']) {
        const { status, body } = await patch(as, 'a', ['1', 'b-e'], query)
        assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'value_invalid', '/value/1/id_external'])
        assert.equal(body.errors.length, 1)
        assert.match(body.errors[0].detail, /"a-b-e" is the full id of the area "e" of facility a-b\./)
      }
      assert.deepEqual(await stored('a'), before)
    })

    test(`is refused of the longer facility id, too (${as})`, async () => {
      const { status, body } = await patch(as, 'a-b-c', ['q', 'w'])
      assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'value_invalid', '/value/1/id_external'])
      assert.equal((await patch(as, 'a-b-c', ['q', 'z'])).status, 200, 'no room elsewhere has these')
    })
  }

  test('is accepted when the other facility is hidden, as if it did not exist', async () => {
    const hidden = await patch('one', 'a', ['b-e'])
    const absent = await patch('one', 'a', ['n-e'])
    assert.deepEqual([hidden.status, absent.status], [200, 200])
    assert.equal(hidden.text.replaceAll('b-e', 'n-e'), absent.text)
    assert.equal((await patch('one', 'a', [])).status, 200)
  })

  test('is refused of a list with names that need escapes, too', async () => {
    const body = { value: [{ id_external: 'b-e', name: 'a "quoted" name' }] }
    const refused = await atrium().ask(`PATCH ${path('a')}`, { as: 'both', body })
    assert.deepEqual([refused.status, refused.body.code], [400, 'value_invalid'])
  })
})

onEachEngine('an entry with the full id of a room elsewhere, in the CMS', { estate }, (atrium) => {
  let editor = ''
  before(async () => {
    editor = (await addOperator(atrium(), 'editor')).key
  })
  const ask = (request: string, body?: unknown) =>
    atrium().ask(request, { as: editor, ...(body !== undefined && { body }) })

  test('is refused, whichever of the two is added last', async () => {
    const said =
      /"a-b-e" would have two meanings: area "e" of facility a-b and the entry "b-e" in the list of facility a\./
    const entry = { entries: [{ id: 'b-e', name: 'E' }] }
    const refused = await ask('PUT /cms/v1/facilities/a/list', entry)
    assert.deepEqual([refused.status, refused.body.code], [409, 'estate_conflict'])
    assert.match(refused.body.detail, said)
    assert.equal((await ask('PUT /cms/v1/facilities/a/list', { entries: [{ id: 'b-f', name: 'F' }] })).status, 200)
    const area = await ask('POST /cms/v1/facilities/a-b/areas', { areas: [{ id: 'f', name: 'F' }] })
    assert.deepEqual([area.status, area.body.code], [409, 'estate_conflict'])
    assert.match(area.body.detail, /"a-b-f" would have two meanings/)
    assert.equal((await ask('POST /cms/v1/facilities/a-b/areas', { areas: [{ id: 'g', name: 'G' }] })).status, 200)
  })
})
