import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

onEachEngine('lists, devices and files in the CMS', {}, (atrium) => {
  let editor = ''
  before(async () => {
    editor = (await addOperator(atrium(), 'editor')).key
  })
  const ask = (request: string, body?: unknown, headers: Record<string, string> = {}) =>
    atrium().ask(request, { as: editor, headers, ...(body !== undefined && { body }) })
  const lyon = '/cms/v1/facilities/lyon-01'

  test('the list is replaced as a whole and in order, and partners see it at once', async () => {
    const before = await ask(`GET ${lyon}/list`)
    assert.equal(before.body.max_entries, 10_000)
    const entries = [
      { id: '7', name: 'Seven' },
      { id: '101', name: 'Suite Étoile' },
    ]
    const etag = before.headers.get('etag') ?? ''
    const put = await ask(`PUT ${lyon}/list`, { entries }, { 'if-match': etag })
    assert.deepEqual(put.body.entries[0], { id: '7', id_external: 'lyon-01-7', name: 'Seven' })
    assert.equal((await ask(`PUT ${lyon}/list`, { entries: [] }, { 'if-match': etag })).status, 412)
    const seen = await atrium().ask('GET /v1/facilities/lyon-01/areas_autocomplete_list', { as: 'everything' })
    assert.ok(seen.text.indexOf('lyon-01-7') < seen.text.indexOf('lyon-01-101'))
    const twice = await ask(`PUT ${lyon}/list`, { entries: [entries[0], entries[0]] })
    assert.deepEqual([twice.body.code, twice.body.errors[0].pointer], ['body_invalid', '/entries/1/id'])
  })

  test('the list is compared with the areas', async () => {
    const entries = [
      { id: '7', name: 'Seven' },
      { id: '101', name: 'Another name' },
      { id: '2', name: 'Room 2' },
    ]
    await ask(`PUT ${lyon}/list`, { entries })
    const { body } = await ask(`GET ${lyon}/list/differences`)
    assert.deepEqual(body.only_in_list, [{ id: '7', name: 'Seven' }])
    assert.deepEqual(
      body.only_in_areas.map(({ id }: { id: string }) => id),
      ['10', 'bar'],
    )
    assert.deepEqual(body.named_differently, [{ id: '101', list_name: 'Another name', area_name: 'Suite Étoile' }])
  })

  test('putting a device is idempotent', async () => {
    const tv = { type: 'tv', model: 'X1', serial: 'S-1', status: 'online', area: '101' }
    for (const _ of [1, 2]) assert.deepEqual((await ask(`PUT ${lyon}/devices/tv-9`, tv)).body, { id: 'tv-9', ...tv })
    const { body } = await atrium().ask('GET /v1/facilities/lyon-01', { as: 'everything' })
    const seen = body.devices.filter(({ id }: { id: string }) => id === 'tv-9')
    assert.deepEqual([seen.length, seen[0].area_id_external], [1, 'lyon-01-101'])
    assert.equal((await ask(`PUT ${lyon}/devices/tv-9`, { ...tv, area: 'none' })).body.code, 'area_not_found')
    assert.equal((await ask(`DELETE ${lyon}/devices/tv-9`)).body.serial, 'S-1')
    assert.equal((await ask(`DELETE ${lyon}/devices/tv-9`)).body.code, 'device_not_found')
  })

  test('a device has no id that would change the path of its own address', async () => {
    for (const id of ['.', '..']) {
      const { body } = await ask(`PATCH ${lyon}`, { devices: [{ id, type: 'tv' }] })
      assert.deepEqual([body.code, body.errors[0].pointer], ['body_invalid', '/devices/0/id'])
    }
  })

  test('a file is previewed row by row, and imported as a whole or not at all', async () => {
    const csv = { 'content-type': 'text/csv' }
    const file = 'id;name\n101;Suite Étoile\n10;Ten\n11;Eleven\n'
    const preview = await ask(`POST ${lyon}/areas/import?dry_run=true`, file, csv)
    const actions = preview.body.rows.map(({ line, id, action }: Record<string, unknown>) => [line, id, action])
    assert.deepEqual(actions, [
      [2, '101', 'unchanged'],
      [3, '10', 'update'],
      [4, '11', 'create'],
    ])
    assert.deepEqual(preview.body.rows[1].changes, [{ key: 'name', before: 'Room 10', after: 'Ten' }])
    assert.equal((await ask('GET /cms/v1/areas/lyon-01-11')).status, 404, 'a preview changes nothing')
    const wrong = await ask(`POST ${lyon}/areas/import`, `${file}12\n12;Twelve\n`, csv)
    assert.deepEqual([wrong.status, wrong.body.errors.length], [400, 2])
    assert.equal((await ask('GET /cms/v1/areas/lyon-01-11')).status, 404, 'nor does a file with a fault')
    const taken = await ask(`POST ${lyon}/areas/import`, file, csv)
    assert.deepEqual([taken.body.created, taken.body.updated, taken.body.unchanged], [1, 1, 1])
    assert.equal((await ask('GET /cms/v1/areas/lyon-01-11')).body.name, 'Eleven')
    assert.equal((await ask(`POST ${lyon}/areas/import`, 'name\nx', csv)).body.code, 'body_invalid')
    const progress = (await ask(`POST ${lyon}/areas/import?progress=true`, file, csv)).text.trimEnd().split('\n')
    const rows = taken.body.rows.length
    assert.deepEqual(JSON.parse(progress[0] ?? ''), { done: 0, of: rows })
    assert.equal(JSON.parse(progress.at(-1) ?? '').answer.unchanged, rows)
    assert.equal((await ask(`POST ${lyon}/areas/import`, {})).body.code, 'body_type_unsupported')
  })

  test('surplus text in a file is reported, not dropped', async () => {
    const preview = (file: string) =>
      ask(`POST ${lyon}/areas/import?dry_run=true`, file, { 'content-type': 'text/csv' })
    const named = await preview('id,name\n201,Room; south\n202,"Room, north"\n')
    const names = named.body.rows.map(({ name, error }: Record<string, unknown>) => [name, error])
    assert.deepEqual(names, [
      ['Room; south', null],
      ['Room, north', null],
    ])
    const { body } = await preview('id,name\n201,Room, south\n202,Room 202,,\n')
    assert.deepEqual([body.created, body.errors], [1, 1])
    assert.match(body.rows[0].error, /^the row has 3 fields and the first line names 2/)
    const repeated = await preview('id,name,name\n201,Room,South\n')
    assert.deepEqual([repeated.status, repeated.body.code], [400, 'body_invalid'])
  })
})
