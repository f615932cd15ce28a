import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { lastOffset } from '../../src/storage/audit/audit.ts'
import { entriesBetween } from '../../src/storage/audit/audit-seal.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator, type TestOperator } from '../harness/operators.ts'
import { assertProblem } from '../harness/scenarios.ts'

const settings = { ATRIUM_LIMIT_IMPORT_BYTES: '65536' }

onEachEngine('an estate file is imported', { settings }, (atrium) => {
  let admin: TestOperator
  before(async () => {
    admin = await addOperator(atrium(), 'admin')
  })
  const send = (body: string, query = '', type = 'application/yaml') =>
    atrium().ask(`POST /cms/v1/import${query}`, { as: admin.key, body, headers: { 'content-type': type } })
  const exported = async () => (await atrium().ask('GET /cms/v1/export', { as: admin.key })).text
  const one = (lines: string) => `facilities:\n  - id_external: lyon-01\n${lines}`

  test('importing an export changes nothing, in both formats', async () => {
    for (const format of ['yaml', 'json']) {
      const file = await atrium().ask(`GET /cms/v1/export?format=${format}`, { as: admin.key })
      const { status, body } = await send(file.text, '?prune=true')
      assert.deepEqual([status, body.differences_count, body.differences], [200, 0, []])
    }
  })

  test('a dry run shows what would change, and changes nothing', async () => {
    const before = await exported()
    const last = await lastOffset(atrium().service.db)
    const { body } = await send(one('    name: Dry\n'), '?dry_run=true')
    const { id, action, kind, changes } = body.differences[0]
    assert.deepEqual(
      [body.dry_run, body.facilities.updated, id, action, kind],
      [true, 1, 'lyon-01', 'update', 'facility'],
    )
    assert.deepEqual([changes[0].key, changes[0].after], ['name', 'Dry'])
    assert.equal(await exported(), before)
    assert.equal(await lastOffset(atrium().service.db), last)
  })

  test('a dry run has the values of what would change, except long ones, and all grants', async () => {
    const ids = Array.from({ length: 300 }, (_, at) => `${'long-'.repeat(11)}${at}`)
    const grants = [{ facilities: ids, read: ['areas'], write: [], rooms: [] }]
    const facilities = [
      ...ids.map((id) => ({ id_external: id, name: 'Long' })),
      { id_external: 'lyon-01', address: { city: 'Nice' }, areas_autocomplete_list: [] },
    ]
    const partners = [{ id: 'ward', grants, contract: { title: 'x'.repeat(17_000) } }]
    const { body } = await send(JSON.stringify({ facilities, partners }), '?dry_run=true')
    const changesOf = (wanted: string) => body.differences.find(({ id }: { id: string }) => id === wanted).changes
    const [address, list] = changesOf('lyon-01')
    assert.deepEqual([address.key, address.before.city, address.after.city], ['address', 'Lyon', 'Nice'])
    assert.deepEqual(
      list.list.removed.map(({ id_external }: { id_external: string }) => id_external),
      ['lyon-01-101', 'lyon-01-2'],
    )
    assert.deepEqual(changesOf('ward'), [
      { key: 'contract' },
      { key: 'grants', before: [{ facilities: ['chu-nord'], read: ['areas'], write: [], rooms: '*' }], after: grants },
    ])
  })

  test('a shortened list of differences has those of partners', async () => {
    const areas = Array.from({ length: 1100 }, (_, at) => ({ id: `s${at}`, name: 'S' }))
    const file = { facilities: [{ id_external: 'lyon-01', areas }], partners: [{ id: 'ward', grants: [] }] }
    const { body } = await send(JSON.stringify(file), '?dry_run=true')
    assert.deepEqual([body.differences_count, body.differences.length, body.differences[0].id], [1101, 1000, 'ward'])
  })

  test('an import is applied on behalf of the operator, and visible to /v1 at once', async () => {
    const { db } = atrium().service
    const last = await lastOffset(db)
    const answer = await send(one('    name: Imported\n    areas: [{id: "9001", name: Room 9001}]\n'))
    assert.deepEqual([answer.body.dry_run, answer.body.areas.created], [false, 1], answer.text)
    const seen = await atrium().ask('GET /v1/facilities/lyon-01', { as: 'everything' })
    assert.equal(seen.body.name, 'Imported')
    const entries = await entriesBetween(db, last, await lastOffset(db), 10)
    assert.ok(entries.length > 0)
    for (const { actor, request_id } of entries) {
      assert.deepEqual([actor, request_id], [admin.email, answer.headers.get('x-request-id')])
    }
  })

  test('items missing from the file are removed only with prune', async () => {
    const made = await send('facilities:\n  - {id_external: gone-01, name: Gone, areas: [{id: "1", name: One}]}\n')
    assert.equal(made.body.facilities?.created, 1, made.text)
    const { body: all } = await atrium().ask('GET /cms/v1/export?format=json', { as: admin.key })
    const kept = all.facilities.filter(({ id_external }: { id_external: string }) => id_external !== 'gone-01')
    const rest = JSON.stringify({ ...all, facilities: kept })
    assert.equal((await send(rest)).body.differences_count, 0)
    const { body } = await send(rest, '?prune=true')
    assert.deepEqual([body.facilities.removed, body.differences[0]?.id], [1, 'gone-01'])
    assertProblem(await atrium().ask('GET /cms/v1/facilities/gone-01', { as: admin.key }), 404, 'facility_not_found')
  })

  const wrong: [string, string, number, string, (string | undefined)?][] = [
    ['a key that is not known', one('    nam: X\n'), 400, 'body_invalid', '/3'],
    ['text that is no YAML', 'facilities: [', 400, 'body_invalid'],
    ['JSON that is none', '{"facilities": [}', 400, 'body_invalid'],
    [
      'a partner with a grant on nothing known',
      'partners:\n  - {id: p-1, name: P, grants: [{facilities: [nowhere]}]}\n',
      409,
      'estate_conflict',
      '/2',
    ],
    ['U+0000', 'facilities: []\0', 400, 'text_forbidden'],
    ['more than is taken', `# ${'x'.repeat(70_000)}\nfacilities: []\n`, 413, 'body_too_large'],
  ]
  for (const [what, file, status, code, pointer] of wrong) {
    test(`${what} is refused, and nothing is changed`, async () => {
      const before = await exported()
      const answer = await send(file)
      assertProblem(answer, status, code)
      if (pointer !== undefined) assert.equal(answer.body.errors[0].pointer, pointer)
      assert.equal(await exported(), before)
    })
  }

  const lines = async (body: string) => {
    const { status, headers, text } = await send(body, '?progress=true')
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/x-ndjson'])
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  test('with progress=true, the response reports progress and ends with the result', async () => {
    const areas = Array.from({ length: 2000 }, (_, at) => `{id: p${at}, name: P}`)
    const progress = await lines(`facilities:\n  - {id_external: long-01, name: Long, areas: [${areas.join()}]}\n`)
    const { answer } = progress.pop()
    assert.deepEqual([answer.areas.created, answer.facilities.created], [2000, 1])
    assert.deepEqual(progress[0], { done: 0, of: 2001 })
    const counts = progress.map(({ done }) => done)
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    )
    assert.ok(counts.some((done) => done > 0 && done < 2001))
  })

  test('with progress=true, a failure ends with the problem, and nothing changes', async () => {
    const before = await exported()
    const progress = await lines('facilities:\n  - {id_external: half-01, name: Half}\n  - {id_external: half-02}\n')
    assert.equal(progress.at(-1).problem.code, 'estate_conflict')
    assert.equal(await exported(), before)
  })

  test('another content type is refused', async () => {
    assertProblem(await send('facilities: []', '', 'text/plain'), 415, 'body_type_unsupported')
  })
})
