import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'

onEachEngine('partners in the CMS', {}, (atrium) => {
  let admin = ''
  before(async () => {
    admin = (await addOperator(atrium(), 'admin')).key
  })
  const ask = (request: string, body?: unknown, headers: Record<string, string> = {}) =>
    atrium().ask(request, { as: admin, headers, ...(body !== undefined && { body }) })
  const asPartner = (request: string, secret: string) =>
    atrium().ask(request, { headers: { authorization: `Bearer ${secret}` } })
  const newToken = async (partner: string) => (await ask(`POST /cms/v1/partners/${partner}/tokens`, { name: 'x' })).body

  test('a partner is created, gets a token, and can use a grant from the next request on', async () => {
    const grants = [{ facilities: ['lyon-01'], read: ['areas'], write: [], rooms: [] }]
    const made = await ask('POST /cms/v1/partners', { id: 'acme', name: 'Acmé PMS', grants })
    assert.deepEqual(made.body, {
      id: 'acme',
      name: 'Acmé PMS',
      rate_limit: null,
      webhooks: false,
      contract: null,
      grants,
    })
    assert.equal((await ask('POST /cms/v1/partners', { id: 'acme', name: 'X' })).body.code, 'partner_exists')
    const { secret } = await newToken('acme')
    const read = () => asPartner('GET /v1/facilities/lyon-01', secret)
    assert.equal((await read()).body.ssid_public, undefined)
    const wider = [{ ...grants[0], read: ['areas', 'ssid_public'] }]
    assert.equal((await ask('PATCH /cms/v1/partners/acme', { grants: wider })).status, 200)
    assert.equal((await read()).body.ssid_public, 'Bellecour Guest')
    assert.deepEqual((await ask('DELETE /cms/v1/partners/acme')).body.lost, { tokens: 1 })
    assert.equal((await read()).body.code, 'token_invalid')
    assert.equal((await ask('GET /cms/v1/partners/acme')).body.code, 'partner_not_found')
  })

  test('the list is searched and counts', async () => {
    const { body, headers } = await ask('GET /cms/v1/partners?q=sees')
    assert.deepEqual(
      body.map(({ id }: { id: string }) => id),
      ['bare', 'everything', 'stranger'],
    )
    assert.equal(headers.get('x-total-count'), '3')
    assert.equal(body[1].facilities_count, null)
  })

  test('a grant on an unknown facility is refused, and nothing changes', async () => {
    const etag = (await ask('GET /cms/v1/partners/bare')).headers.get('etag')
    const grants = [{ facilities: ['nowhere'], read: '*', write: [], rooms: [] }]
    const unknown = (await ask('PATCH /cms/v1/partners/bare', { grants })).body
    assert.equal(unknown.code, 'estate_conflict')
    assert.deepEqual(
      unknown.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/grants/0/facilities/0'],
    )
    const faulty = await ask('PATCH /cms/v1/partners/bare', { grants: [{ facilities: '*', read: ['secrets'] }] })
    assert.deepEqual([faulty.body.code, faulty.body.errors[0].pointer], ['body_invalid', '/grants/0/read/0'])
    assert.equal((await ask('GET /cms/v1/partners/bare')).headers.get('etag'), etag)
  })

  test('a second edit of the same version of grants is refused', async () => {
    const etag = (await ask('GET /cms/v1/partners/ward')).headers.get('etag') ?? ''
    const change = (name: string) => ask('PATCH /cms/v1/partners/ward', { name }, { 'if-match': etag })
    assert.deepEqual([(await change('One')).status, (await change('Two')).status], [200, 412])
  })

  test('a token is rotated, safe to revoke once its successor is used, changed and revoked', async () => {
    const old = await newToken('everything')
    const next = (await ask(`POST /cms/v1/tokens/${old.token.id}/rotate`, { grace_seconds: 3600 })).body
    assert.equal(next.token.predecessor, old.token.id)
    for (const { secret } of [old, next]) assert.equal((await asPartner('GET /v1/me', secret)).status, 200)
    const list = async () => {
      const { body } = await ask('GET /cms/v1/partners/everything/tokens')
      return body.find(({ id }: { id: string }) => id === old.token.id)
    }
    assert.deepEqual([(await list()).successor, (await list()).safe_to_revoke], [next.token.id, false])
    const bound = await ask(`PATCH /cms/v1/tokens/${next.token.id}`, { allowed_ranges: ['192.0.2.0/24'], name: 'y' })
    assert.deepEqual([bound.body.name, bound.body.allowed_ranges], ['y', ['192.0.2.0/24']])
    assert.equal((await asPartner('GET /v1/me', next.secret)).body.code, 'address_not_allowed')
    assert.equal((await ask(`DELETE /cms/v1/tokens/${old.token.id}`)).body.state, 'revoked')
    assert.equal((await asPartner('GET /v1/me', old.secret)).body.code, 'token_invalid')
    assert.equal((await ask(`POST /cms/v1/tokens/${old.token.id}/rotate`, {})).body.code, 'token_revoked')
    assert.equal((await ask('DELETE /cms/v1/tokens/nothing')).body.code, 'token_not_found')
  })

  test('a token that was issued elsewhere is imported by its hash, shown as imported, and rotated', async () => {
    const secret = 'opaque-secret-of-the-old-installation'
    const body = { name: 'tills', sha256: createHash('sha256').update(secret).digest('hex') }
    const path = 'POST /cms/v1/partners/everything/tokens/import'
    const faulty = (await ask(path, { ...body, sha256: secret })).body
    assert.deepEqual([faulty.code, faulty.errors[0].pointer], ['body_invalid', '/sha256'])
    assert.equal((await asPartner('GET /v1/me', secret)).body.code, 'token_invalid')
    const token = (await ask(path, body)).body
    assert.deepEqual([token.name, token.imported, token.state], ['tills', true, 'active'])
    const me = (await asPartner('GET /v1/me', secret)).body
    assert.deepEqual([me.token.imported, me.token.rotate_by], [true, token.rotate_by])
    assert.equal((await ask(path, body)).body.code, 'token_exists')
    const next = (await ask(`POST /cms/v1/tokens/${token.id}/rotate`, { grace_seconds: 0 })).body
    assert.deepEqual([next.token.imported, next.token.rotate_by], [false, null])
    assert.equal((await asPartner('GET /v1/me', secret)).body.code, 'token_invalid')
    assert.equal((await asPartner('GET /v1/me', next.secret)).status, 200)
    const audit = (await ask('GET /cms/v1/audit?action=token.import')).body
    assert.ok(!JSON.stringify(audit).includes(body.sha256), 'the hash is not in the audit log')
  })

  test('secrets are shown once', async () => {
    const { secret } = await newToken('everything')
    const everything = await Promise.all(
      ['partners', 'partners/everything', 'partners/everything/tokens', 'keys', 'operators'].map((path) =>
        ask(`GET /cms/v1/${path}`),
      ),
    )
    for (const { text } of everything) assert.ok(!text.includes(secret.slice(13)))
  })
})

onEachEngine('the access check', {}, (atrium) => {
  const keys: Record<string, string> = {}
  before(async () => {
    for (const role of ['viewer', 'editor'] as const) keys[role] = (await addOperator(atrium(), role)).key
  })
  const check = async (partner: string, request: string, role = 'viewer') => {
    const [method, path] = request.split(' ')
    const { status, body } = await atrium().ask('POST /cms/v1/access-check', {
      as: keys[role],
      body: { partner, method, path },
    })
    assert.equal(status, 200)
    return body
  }

  for (const partner of ['everything', 'hotelier', 'ward', 'bare', 'stranger']) {
    for (const path of [
      '/v1/facilities',
      '/v1/facilities/lyon-01/',
      '/v1/facilities/chu-nord/areas?limit=1',
      '/v1/none',
    ]) {
      test(`returns exactly the response that ${partner} gets for GET ${path}`, async () => {
        const own = await atrium().ask(`GET ${path}`, { as: partner })
        const { allowed, answer } = await check(partner, `GET ${path}`, 'editor')
        const { instance: _instance, request_id: _id, ...problem } = answer.body
        const { instance: _own, request_id: _ownId, ...real } = own.body
        assert.deepEqual([allowed, answer.status, problem], [own.status === 200, own.status, real])
      })
    }
  }

  test('a change is decided and not carried out', async () => {
    const rename = 'PATCH /v1/facilities/lyon-01/name'
    const refused = await check('bare', rename)
    assert.deepEqual([refused.allowed, refused.code, refused.needs], [false, 'not_granted', 'write: name'])
    const allowed = await check('everything', rename)
    assert.deepEqual([allowed.allowed, allowed.grant, allowed.answer], [true, 0, null])
    assert.equal((await check('everything', 'TRACE /v1/me').catch(() => 'refused')) === 'refused', true)
    assert.equal((await check('everything', 'POST /v1/me')).code, 'method_not_allowed')
  })

  test('a viewer does not see the services of rooms', async () => {
    const add = { as: 'ward', body: { value: '[{"code":"tv","label":"secret"}]' } }
    await atrium().ask('POST /v1/areas/chu-nord-214/data_services', add)
    const read = 'GET /v1/areas/chu-nord-214/data_services'
    assert.deepEqual((await check('ward', read)).answer.body, { data_services: [] })
    assert.equal((await check('ward', read, 'editor')).answer.body.data_services[0].label, 'secret')
  })
})
