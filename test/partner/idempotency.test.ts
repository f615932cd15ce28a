import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'

const room = '/v1/areas/chu-nord-214/'
const services = `POST ${room}data_services`
const tv = { value: '[{"code":"tv"}]' }

onEachEngine('Idempotency-Key', {}, (atrium) => {
  const ward = (request: string, key: string | undefined, body?: object, headers = {}) =>
    atrium().ask(request, {
      as: 'ward',
      ...(body && { body }),
      headers: { ...(key && { 'idempotency-key': key }), ...headers },
    })
  const count = async () => (await ward(`GET ${room}data_services`, undefined)).body.data_services.length
  let keys = 0
  const newKey = () => `key ${++keys}`

  test('the same request again returns the first response and changes nothing', async () => {
    const key = newKey()
    const first = await ward(services, key, tv)
    const before = await count()
    const again = await ward(services, key, tv)
    assert.equal(again.status, 200)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('etag'), first.headers.get('etag'))
    assert.deepEqual(
      [first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')],
      [null, 'true'],
    )
    assert.equal(await count(), before)
  })

  test('the other slash form is the same path', async () => {
    const key = newKey()
    await ward(services, key, tv)
    assert.equal((await ward(`${services}/`, key, tv)).headers.get('idempotency-replayed'), 'true')
  })

  test('another body with the same key is 422', async () => {
    const key = newKey()
    await ward(services, key, tv)
    const before = await count()
    assertProblem(await ward(services, key, { value: '[{"code":"net"}]' }), 422, 'idempotency_key_reused')
    assert.equal(await count(), before)
  })

  test('the same key of another partner, or for another room, is another key', async () => {
    const key = newKey()
    await ward(services, key, tv)
    const other = await atrium().ask(services, { as: 'everything', body: tv, headers: { 'idempotency-key': key } })
    assert.deepEqual([other.status, other.headers.get('idempotency-replayed')], [200, null])
    const elsewhere = await ward('POST /v1/areas/chu-nord-215/data_services', key, tv)
    assert.deepEqual([elsewhere.status, elsewhere.headers.get('idempotency-replayed')], [200, null])
  })

  test('opening again with the same key is the same opening', async () => {
    const key = newKey()
    const first = await ward(`POST ${room}`, key)
    const again = await ward(`POST ${room}`, key)
    assert.equal(again.body.area.cycle, first.body.area.cycle)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
  })

  for (const change of ['POST', 'DELETE']) {
    test(`after ${change} of the room the key is refused and its response deleted`, async () => {
      const key = newKey()
      await ward(services, key, { value: '[{"code":"canary-of-the-last-guest"}]' })
      await ward(`${change} ${room}`, undefined)
      const late = await ward(services, key, { value: '[{"code":"canary-of-the-last-guest"}]' })
      assertProblem(late, 409, 'cycle_ended')
      assert.equal(await count(), 0)
      const rows = await atrium().service.db.read((tx) => tx.query.selectFrom('idempotency_key').selectAll().execute())
      assert.ok(!JSON.stringify(rows).includes('canary-of-the-last-guest'))
    })
  }

  test('a retry that carries preconditions is replayed, though they no longer hold', async () => {
    const opened = await ward(`POST ${room}`, undefined)
    const headers = { 'if-match': opened.headers.get('etag') as string, 'atrium-cycle': opened.body.area.cycle }
    const key = newKey()
    const first = await ward(services, key, tv, headers)
    const again = await ward(services, key, tv, headers)
    assert.deepEqual([again.status, again.text], [200, first.text])
    const openKey = newKey()
    const cycle = { 'atrium-cycle': opened.body.area.cycle }
    const reopened = await ward(`POST ${room}`, openKey, undefined, cycle)
    assert.equal((await ward(`POST ${room}`, openKey, undefined, cycle)).text, reopened.text)
  })

  test('a refused request does not use its key up', async () => {
    const key = newKey()
    assert.equal((await ward(services, key, { value: '[{}]' })).status, 400)
    assert.equal((await ward(services, key, tv)).status, 200)
  })

  for (const bad of ['x'.repeat(256), 'tab\there', 'caf\u00e9']) {
    test(`the key ${JSON.stringify(bad.slice(0, 10))} is refused`, async () => {
      assertProblem(await ward(services, bad, tv), 400, 'idempotency_key_invalid')
    })
  }

  test('two at the same time add one', async () => {
    for (let round = 0; round < 20; round++) {
      const key = newKey()
      const before = await count()
      const answers = await Promise.all([1, 2, 3, 4].map(() => ward(services, key, tv)))
      for (const { status, body } of answers) {
        assert.ok(status === 200 || (status === 409 && body.code === 'idempotency_key_in_use'), `${status}`)
      }
      assert.equal(await count(), before + 1)
    }
  })

  test('a key expires after 24 hours', async () => {
    const key = newKey()
    await ward(services, key, tv)
    const dayAgo = new Date(Date.now() - 24 * 3_600_000 - 1000).toISOString()
    await atrium().service.db.write((tx) =>
      tx.query.updateTable('idempotency_key').set({ created_at: dayAgo }).where('key', '=', key).execute(),
    )
    const again = await ward(services, key, { value: '[{"code":"net"}]' })
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [200, null])
  })
})
