import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partnerEndpoints } from '../../src/http/partner/routes.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { receiverOfSuite, someWebhook, webhookSettings } from '../harness/some-webhook.ts'

const reads = partnerEndpoints
  .filter(({ method, response }) => method === 'GET' && response.etag)
  .map(({ path }) => path.replace('{facilityExternalId}', 'lyon-01').replace('{areaExternalId}', 'chu-nord-214'))
  // Every request of this file enters the log some time later, so only a past part of it stays the same.
  .map((path) => (path === '/v1/requests' ? `${path}?until=2000-01-01T00:00:00Z` : path))
const facility = '/v1/facilities/lyon-01/'
const list = '/v1/facilities/lyon-01/areas_autocomplete_list'
const room = '/v1/areas/chu-nord-214/'
const tv = { value: '[{"code":"tv"}]' }

onEachEngine('ETag and If-None-Match', { settings: webhookSettings }, (atrium) => {
  const receiver = receiverOfSuite()
  for (const read of reads) {
    test(`GET ${read} returns 304 to its own ETag`, async () => {
      const webhook = read.includes('{webhookId}') ? await someWebhook(atrium(), receiver()) : ''
      const path = read.replace('{webhookId}', webhook)
      const first = await atrium().ask(`GET ${path}`, { as: 'everything', headers: { 'accept-encoding': 'identity' } })
      const etag = first.headers.get('etag') ?? ''
      assert.match(etag, /^"[\w-]+"$/)
      assert.equal(first.headers.get('cache-control'), 'private, no-cache')
      assert.equal(first.headers.get('vary'), 'Authorization, Accept-Encoding')
      for (const known of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
        const again = await atrium().ask(`GET ${path}`, { as: 'everything', headers: { 'if-none-match': known } })
        assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag], known)
        assert.equal(again.headers.get('vary'), 'Authorization, Accept-Encoding')
      }
      const other = await atrium().ask(`GET ${path}`, { as: 'everything', headers: { 'if-none-match': '"other"' } })
      assert.equal(other.status, 200)
    })
  }

  test('the ETag covers what the caller sees: a hidden change does not change it', async () => {
    const before = await atrium().ask(`GET ${facility}`, { as: 'bare' })
    await atrium().ask(`PATCH ${facility}ssid_public`, { as: 'everything', body: { value: 'Hidden change' } })
    const after = await atrium().ask(`GET ${facility}`, { as: 'bare' })
    assert.equal(after.headers.get('etag'), before.headers.get('etag'))
  })
})

onEachEngine('If-Match', {}, (atrium) => {
  const everything = (request: string, rest = {}) => atrium().ask(request, { as: 'everything', ...rest })
  const etagOf = async (path: string) => (await everything(`GET ${path}`)).headers.get('etag') as string

  const writes: [string, string, () => Promise<[string, object]>][] = [
    ['name', facility, async () => [`PATCH ${facility}name`, { body: { value: `N ${Math.random()}` } }]],
    ['ssid_public', facility, async () => [`PATCH ${facility}ssid_public`, { body: { value: `S ${Math.random()}` } }]],
    [
      'subscription_url',
      facility,
      async () => [`PATCH ${facility}subscription_url`, { body: { value: `https://x.example/${Math.random()}` } }],
    ],
    [
      'the list',
      list,
      async () => [`PATCH ${list}`, { body: { value: [{ id_external: `${Math.random()}`, name: 'R' }] } }],
    ],
    ['opening', room, async () => [`POST ${room}`, {}]],
    ['adding a service', room, async () => [`POST ${room}data_services`, { body: tv }]],
    ['adding a service to its list', `${room}data_services`, async () => [`POST ${room}data_services`, { body: tv }]],
    [
      'deleting a service',
      room,
      async () => {
        const added = await everything(`POST ${room}data_services`, { body: tv })
        return [`DELETE ${room}data_services/${added.body.services.data_services[0].id}`, {}]
      },
    ],
    [
      'closing',
      room,
      async () => {
        await everything(`POST ${room}`)
        return [`DELETE ${room}`, {}]
      },
    ],
  ]
  for (const [what, resource, prepare] of writes) {
    test(`${what}: the current ETag lets it through, once`, async () => {
      const [request, rest] = await prepare()
      const etag = await etagOf(resource)
      const stale = await everything(request, { ...rest, headers: { 'if-match': '"stale"' } })
      assertProblem(stale, 412, 'precondition_failed')
      assert.equal(await etagOf(resource), etag, 'nothing was changed')
      assertProblem(
        await everything(request, { ...rest, headers: { 'if-match': `W/${etag}` } }),
        412,
        'precondition_failed',
      )
      const done = await everything(request, { ...rest, headers: { 'if-match': `"stale", ${etag}` } })
      assert.equal(done.status, 200, done.text)
      const [again, more] = await prepare()
      assertProblem(await everything(again, { ...more, headers: { 'if-match': etag } }), 412, 'precondition_failed')
      assert.equal((await everything(again, { ...more, headers: { 'if-match': '*' } })).status, 200)
    })
  }

  test('the ETag of a change of a room is accepted for the next one', async () => {
    const opened = await everything(`POST ${room}`)
    const headers = { 'if-match': opened.headers.get('etag') as string }
    assert.equal((await everything(`POST ${room}data_services`, { body: tv, headers })).status, 200)
  })

  for (const property of ['name', 'ssid_public', 'subscription_url']) {
    test(`a change of ${property} returns the ETag of the facility, which is accepted for the next one`, async () => {
      const value = 'https://chain.example/'
      for (const as of ['everything', ...(property === 'name' ? ['hotelier'] : [])]) {
        const first = await atrium().ask(`PATCH ${facility}${property}`, { as, body: { value: `${value}${as}` } })
        const etag = first.headers.get('etag') as string
        assert.equal((await atrium().ask(`GET ${facility}`, { as })).headers.get('etag'), etag)
        const headers = { 'if-match': etag }
        const second = await atrium().ask(`PATCH ${facility}${property}`, { as, body: { value }, headers })
        assert.equal(second.status, 200, second.text)
        const same = await atrium().ask(`PATCH ${facility}${property}`, { as, body: { value } })
        assert.equal(same.headers.get('etag'), second.headers.get('etag'), 'nothing was changed')
      }
    })
  }

  test("the ETag of a room's services is not an ETag of the room", async () => {
    const headers = { 'if-match': await etagOf(`${room}data_services`) }
    assertProblem(await everything(`POST ${room}`, { headers }), 412, 'precondition_failed')
    assertProblem(await everything(`DELETE ${room}`, { headers }), 412, 'precondition_failed')
  })

  test('the ETag that another partner got is not accepted', async () => {
    const seen = await atrium().ask(`GET ${facility}`, { as: 'hotelier' })
    const headers = { 'if-match': seen.headers.get('etag') as string }
    assert.equal((await everything(`PATCH ${facility}name`, { body: { value: 'x' }, headers })).status, 412)
    const own = await atrium().ask(`PATCH ${facility}name`, { as: 'hotelier', body: { value: 'y' }, headers })
    assert.equal(own.status, 200)
  })

  test('of concurrent changes of the same thing, only one succeeds', async () => {
    const headers = { 'if-match': await etagOf(facility) }
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((value) => everything(`PATCH ${facility}name`, { body: { value }, headers })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412])
  })
})
