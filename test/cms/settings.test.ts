import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { settings } from '../../src/domain/setting.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

onEachEngine('settings in the CMS', {}, (atrium) => {
  let admin = ''
  before(async () => {
    admin = (await addOperator(atrium(), 'admin')).key
  })
  const ask = (request: string, body?: unknown, headers: Record<string, string> = {}) =>
    atrium().ask(request, { as: admin, headers, ...(body !== undefined && { body }) })

  test('have their defaults until they are changed, and the change is audited', async () => {
    const before = await ask('GET /cms/v1/settings')
    assert.equal(before.body.request_log_days, settings.request_log_days.default)
    const etag = before.headers.get('etag') ?? ''
    const changed = await ask('PATCH /cms/v1/settings', { request_log_days: 30 }, { 'if-match': etag })
    assert.deepEqual(changed.body, { ...before.body, request_log_days: 30 })
    assert.deepEqual((await ask('GET /cms/v1/settings')).body, changed.body)
    assert.equal((await ask('PATCH /cms/v1/settings', { many_refused: 9 }, { 'if-match': etag })).status, 412)
    const entry = await atrium().service.db.read((tx) =>
      tx.query.selectFrom('audit_entry').where('action', '=', 'setting.change').selectAll().execute(),
    )
    const changes = [{ key: 'request_log_days', before: settings.request_log_days.default, after: 30 }]
    assert.deepEqual(
      entry.map(({ actor, detail }) => [actor, JSON.parse(detail)]),
      [['admin@example.com', { changes }]],
    )
  })

  test('a value out of range or an unknown setting is refused, and nothing changes', async () => {
    const { body } = await ask('GET /cms/v1/settings')
    for (const bad of [
      { request_log_days: 0 },
      { request_log_rows: '5000' },
      { nonsense: 1 },
      { many_refused: null },
    ]) {
      assert.equal((await ask('PATCH /cms/v1/settings', bad)).body.code, 'body_invalid', JSON.stringify(bad))
    }
    assert.deepEqual((await ask('GET /cms/v1/settings')).body, body)
  })

  test('versions and database are shown', async () => {
    const { body } = await ask('GET /cms/v1/about')
    assert.equal(body.node, process.versions.node)
    assert.ok(body.migrations.includes('0004-cms') && Date.parse(body.started_at) <= Date.now())
  })
})
