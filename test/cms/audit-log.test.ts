import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

// biome-ignore lint/suspicious/noExplicitAny: details of any kind of change
type Entry = any

onEachEngine('the audit log in the CMS', {}, (atrium) => {
  const keys: Record<string, string> = {}
  before(async () => {
    for (const role of ['viewer', 'editor', 'admin'] as const) keys[role] = (await addOperator(atrium(), role)).key
  })
  const ask = (request: string, body?: unknown, role = 'admin') =>
    atrium().ask(request, { as: keys[role], ...(body !== undefined && { body }) })
  const audit = async (query: string, role = 'admin'): Promise<Entry[]> =>
    (await ask(`GET /cms/v1/audit?${query}`, undefined, role)).body
  const undo = (seq: number, role = 'editor') => ask(`POST /cms/v1/audit/${seq}/undo`, undefined, role)
  const ssid = async () => (await ask('GET /cms/v1/facilities/lyon-01')).body.ssid_public

  test('a change of a partner is shown with before and after, and undone with one request', async () => {
    const headers = { 'x-request-id': 'p-1' }
    const body = { value: 'Changed' }
    await atrium().ask('PATCH /v1/facilities/lyon-01/ssid_public', { as: 'everything', headers, body })
    const [entry] = await audit('action=facility.change')
    assert.deepEqual(entry.detail, { property: 'ssid_public', before: 'Bellecour Guest', after: 'Changed' })
    assert.deepEqual(
      [entry.actor.kind, entry.actor.name, entry.request_id, entry.can_undo],
      ['partner', 'everything', 'p-1', true],
    )
    assert.equal((await undo(entry.seq, 'viewer')).body.code, 'role_insufficient')
    assert.equal((await undo(entry.seq)).body.ssid_public, 'Bellecour Guest')
    const [undone] = await audit('facility=lyon-01')
    assert.deepEqual([undone.actor.name, undone.action], ['editor@example.com', 'facility.update'])
    assert.deepEqual(undone.detail.changes, [{ key: 'ssid_public', before: 'Changed', after: 'Bellecour Guest' }])
    assert.deepEqual([entry.detail.undoes, undone.detail.undoes], [undefined, entry.seq])
    const seen = await atrium().ask('GET /v1/facilities/lyon-01', { as: 'everything' })
    assert.equal(seen.body.ssid_public, 'Bellecour Guest')
  })

  test('an entry that was changed since or cannot be undone is refused, and nothing changes', async () => {
    await ask('PATCH /cms/v1/facilities/lyon-01', { ssid_public: 'A', subscribed: false })
    const [first] = await audit('facility=lyon-01')
    await ask('PATCH /cms/v1/facilities/lyon-01', { ssid_public: 'B' })
    const [second, again] = await audit('facility=lyon-01')
    assert.deepEqual([again.seq, again.can_undo, second.can_undo], [first.seq, false, true])
    assert.equal((await undo(first.seq)).body.code, 'undo_overtaken')
    assert.equal(await ssid(), 'B')
    assert.equal((await undo(second.seq)).body.ssid_public, 'A')
    const [key] = await audit('action=key.create')
    assert.equal((await undo(key.seq)).body.code, 'undo_impossible')
    assert.match((await ask(`GET /cms/v1/audit/${key.seq}`)).body.undo_refused, /Revoke the key/)
    for (const seq of [999_999, 'x']) assert.equal((await undo(seq as number)).body.code, 'audit_entry_not_found')
  })

  test('every kind of undo names the entry that it reverts', async () => {
    const made = (await ask('POST /cms/v1/partners/bare/tokens', { name: 'undone' })).body.token
    const { id } = (await ask('GET /cms/v1/operators')).body.find(({ name }: Entry) => name === 'viewer')
    const changes: [request: string, body: object][] = [
      ['PATCH /cms/v1/partners/bare', { name: 'Undone' }],
      [`PATCH /cms/v1/tokens/${made.id}`, { name: 'Undone' }],
      [`PATCH /cms/v1/operators/${id}`, { name: 'Undone' }],
      ['PATCH /cms/v1/settings', { many_refused: 77 }],
      ['POST /cms/v1/facilities', { id_external: 'undone-01', name: 'Undone' }],
    ]
    for (const [request, body] of changes) {
      assert.equal((await ask(request, body)).status, 200, request)
      const [entry] = await audit('limit=1')
      const { status, text } = await undo(entry.seq, 'admin')
      assert.equal(status, 200, text)
      const [undone] = await audit('limit=1')
      assert.equal(undone.detail.undoes, entry.seq, request)
    }
  })

  test('tokens, keys, webhooks and operators are named', async () => {
    const { token } = (await ask('POST /cms/v1/partners/bare/tokens', { name: 'before' })).body
    await ask(`PATCH /cms/v1/tokens/${token.id}`, { name: 'now' })
    const named = async (query: string) => (await audit(query))[0].subject_name
    assert.equal(await named(`action=token.create&subject=${token.id}`), 'now')
    assert.equal(await named('action=key.create'), 'test')
    assert.equal(await named('action=operator.create'), 'admin@example.com')
    await ask('POST /cms/v1/facilities/lyon-01/areas', { id: 'named', name: 'Named' })
    const [entry] = await audit('facility=lyon-01')
    assert.deepEqual([entry.subject, entry.subject_name], [null, null])
    const one = (await ask(`GET /cms/v1/audit/${(await audit('action=operator.create'))[0].seq}`)).body
    assert.equal(one.subject_name, 'admin@example.com')
  })

  test('is filtered, and its pages follow one another', async () => {
    const all = await audit('limit=1000')
    const seen: number[] = []
    for (let next = '/cms/v1/audit?limit=3'; next !== ''; ) {
      const { body, headers } = await ask(`GET ${next}`)
      seen.push(...body.map(({ seq }: Entry) => seq))
      next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    assert.deepEqual(
      seen,
      all.map(({ seq }) => seq),
    )
    const filters: [string, (entry: Entry) => boolean][] = [
      ['actor=editor@example.com', ({ actor }) => actor.name === 'editor@example.com'],
      ['actor=everything', ({ actor }) => actor.name === 'everything'],
      ['action=key.create', ({ action }) => action === 'key.create'],
      ['partner=everything', ({ partner }) => partner === 'everything'],
      [
        'facility=lyon-01&actor=admin@example.com',
        ({ facility, actor }) => facility === 'lyon-01' && actor.name === 'admin@example.com',
      ],
    ]
    for (const [query, fits] of filters) {
      const wanted = all.filter(fits).map(({ seq }) => seq)
      assert.ok(wanted.length > 0, query)
      assert.deepEqual(
        (await audit(`${query}&limit=1000`)).map(({ seq }) => seq),
        wanted,
        query,
      )
    }
    assert.deepEqual((await ask('GET /cms/v1/facilities/lyon-01/history')).body, await audit('facility=lyon-01'))
    assert.equal((await ask('GET /cms/v1/facilities/none/history')).body.code, 'facility_not_found')
    assert.deepEqual(await audit('until=2020-01-01'), [])
    assert.equal((await ask('GET /cms/v1/audit?action=nothing')).body.code, 'parameter_invalid')
  })

  test('a viewer does not see changes of the services of a room', async () => {
    await atrium().ask('POST /v1/areas/chu-nord-214/data_services', {
      as: 'ward',
      body: { value: '[{"code":"canary"}]' },
    })
    const read = async (role: string) => (await audit('subject=chu-nord-214&action=services.add', role))[0].detail
    assert.match(JSON.stringify(await read('editor')), /canary/)
    assert.equal(await read('viewer'), null)
  })

  test('is exported whole, as CSV and as JSON', async () => {
    const all = await audit('limit=1000')
    const json = await ask('GET /cms/v1/audit/export?format=json')
    assert.deepEqual(json.body, all)
    const csv = await ask('GET /cms/v1/audit/export?actor=admin@example.com')
    assert.match(csv.headers.get('content-disposition') ?? '', /filename="audit.csv"/)
    const lines = csv.text.trim().split('\r\n')
    assert.equal(lines.length, 1 + all.filter(({ actor }) => actor.name === 'admin@example.com').length)
    assert.ok(lines[1]?.includes('""changes""'), lines[1])
    assert.deepEqual((await ask('GET /cms/v1/audit/export?format=json&actor=nobody')).body, [])
  })
})
