import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import { seal, unseal } from '../../src/domain/audit/seal.ts'
import { attemptPurpose } from '../../src/http/cms/operators/single-sign-on.ts'
import { lastOffset } from '../../src/storage/audit/audit.ts'
import { entriesBetween } from '../../src/storage/audit/audit-seal.ts'
import { type Answered, onEachEngine, startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { TestOpenIdProvider } from '../harness/openid-provider.ts'
import { addOperator, browser, type TestOperator } from '../harness/operators.ts'

const provider = await new TestOpenIdProvider().start()
const settings = provider.settings()

interface Return {
  cookie: string
  query: string
}

/** A browser that was redirected to the provider and returns. */
async function visit(atrium: TestAtrium): Promise<Return> {
  const { status, headers, body, text } = await atrium.ask('POST /cms/v1/sign-in/oidc')
  assert.equal(status, 200, text)
  const sent = await fetch(body.location, { redirect: 'manual' })
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { cookie, query: new URL(sent.headers.get('location') ?? '').search }
}

function finish(atrium: TestAtrium, { cookie, query }: Return): Promise<Answered> {
  return atrium.ask('POST /cms/v1/sign-in/oidc/return', { body: { query }, headers: { cookie } })
}

const secret = settings.ATRIUM_OIDC_CLIENT_SECRET ?? ''

/** The same attempt, started an hour earlier. */
function aged(cookie: string): string {
  const [name, value = ''] = cookie.split('=')
  const attempt = JSON.parse(unseal(secret, attemptPurpose, value) ?? '')
  return `${name}=${seal(secret, attemptPurpose, JSON.stringify({ ...attempt, until: attempt.until - 3_600_000 }))}`
}

const verified = { email: 'Ada@Example.com', email_verified: true }
const hourAgo = Math.floor(Date.now() / 1000) - 3600

interface Scenario {
  when: string
  provider?: Partial<TestOpenIdProvider>
  browser?: (came: Return) => Return
  status: number
  code: string
  detail?: RegExp
}

const failed = { status: 401, code: 'single_sign_on_failed' }
const refused = { status: 401, code: 'sign_in_refused' }

const scenarios: Scenario[] = [
  { when: 'the nonce is of another sign-in', provider: { lies: { nonce: 'another' } }, ...failed },
  { when: 'there is no nonce', provider: { lies: { nonce: undefined } }, ...failed },
  { when: 'the signature is of another key', provider: { isForged: true }, ...failed },
  { when: 'the token has expired', provider: { lies: { iat: hourAgo, exp: hourAgo + 60 } }, ...failed },
  { when: 'the token is for another client', provider: { lies: { aud: 'another' } }, ...failed },
  { when: 'the token is of another issuer', provider: { lies: { iss: 'https://another.example' } }, ...failed },
  {
    when: 'they are turned away at the provider',
    provider: { isStrict: true },
    ...failed,
    detail: /provider refused the sign-in/,
  },
  {
    when: 'the provider cannot be reached',
    provider: { isDown: true },
    status: 503,
    code: 'single_sign_on_unavailable',
  },
  {
    when: 'the state is of another sign-in',
    browser: ({ cookie, query }) => ({ cookie, query: query.replace('state=', 'state=x') }),
    ...failed,
  },
  {
    when: 'the code is made up',
    browser: ({ cookie, query }) => ({ cookie, query: query.replace('code=', 'code=x') }),
    ...failed,
  },
  { when: 'the return has no query', browser: ({ cookie }) => ({ cookie, query: '' }), ...failed },
  {
    when: 'another browser returns',
    browser: ({ query }) => ({ cookie: '', query }),
    ...failed,
    detail: /another browser/,
  },
  {
    when: 'the cookie was changed',
    browser: ({ cookie, query }) => ({ cookie: cookie.replace('=', '=x'), query }),
    ...failed,
  },
  { when: 'the cookie is none of ours', browser: ({ query }) => ({ cookie: 'atrium_sign_in=AAAA', query }), ...failed },
  {
    when: 'they took too long',
    browser: ({ cookie, query }) => ({ cookie: aged(cookie), query }),
    ...failed,
    detail: /more than ten minutes ago/,
  },
  { when: 'the address is not verified', provider: { person: { ...verified, email_verified: false } }, ...refused },
  { when: 'the address is not marked as verified', provider: { person: { email: verified.email } }, ...refused },
  {
    when: 'there is no address',
    provider: { person: { email_verified: true } },
    ...refused,
    detail: /No operator has your e-mail address/,
  },
  {
    when: 'no operator has the address',
    provider: { person: { ...verified, email: 'eve@example.com' } },
    ...refused,
    detail: /No operator has your e-mail address/,
  },
  {
    when: 'the operator is disabled',
    provider: { person: { ...verified, email: 'bob@example.com' } },
    ...refused,
    detail: /disabled/,
  },
]

onEachEngine('single sign-on', { settings }, (atrium) => {
  let ada: TestOperator
  before(async () => {
    ada = await addOperator(atrium(), 'admin', 'ada')
    const bob = await addOperator(atrium(), 'viewer', 'bob')
    await atrium().ask(`PATCH /cms/v1/operators/${bob.id}`, { as: ada.key, body: { disabled: true } })
  })
  const wellBehaved = { person: verified, lies: {}, isDown: false, isForged: false, isForgetful: false }
  const behave = (how: Partial<TestOpenIdProvider> = {}) =>
    Object.assign(provider, wellBehaved, { isDiscreet: false, isStrict: false }, how)
  before(() => behave())
  afterEach(() => behave())

  test('an unreachable provider is reported, and used again when it returns', async () => {
    behave({ isDown: true })
    const away = await atrium().ask('POST /cms/v1/sign-in/oidc')
    assert.deepEqual([away.status, away.body.code], [503, 'single_sign_on_unavailable'])
    assert.ok(Number(away.headers.get('retry-after')) > 0)
    behave()
    assert.equal((await atrium().ask('POST /cms/v1/sign-in/oidc')).status, 200)
  })

  test('the console gets the name of the provider', async () => {
    const { body } = await atrium().ask('GET /cms/v1/sign-in')
    assert.deepEqual(body, { single_sign_on: { name: 'Example Login' } })
  })

  test('an operator with the verified address is signed in, with an audit entry', async () => {
    const { db } = atrium().service
    const last = await lastOffset(db)
    const ask = browser(atrium())
    const { body, headers } = await ask('POST /cms/v1/sign-in/oidc')
    assert.match(headers.get('set-cookie') ?? '', /; Path=\/cms\/v1\/sign-in; Max-Age=600; HttpOnly; SameSite=Strict$/)
    const asked = new URL(body.location).searchParams
    assert.equal(asked.get('redirect_uri'), 'http://atrium.test/console/sign-in')
    assert.equal(asked.get('code_challenge_method'), 'S256')
    const sent = await fetch(body.location, { redirect: 'manual' })
    const { search: query } = new URL(sent.headers.get('location') ?? '')
    const answer = await ask('POST /cms/v1/sign-in/oidc/return', { body: { query } })
    assert.equal(answer.body.operator?.id, ada.id, answer.text)
    assert.equal((await ask('GET /cms/v1/me')).body.via, 'session')
    const entries = await entriesBetween(db, last, await lastOffset(db), 10)
    assert.deepEqual(
      entries.map(({ action, actor, detail }) => [action, actor, detail]),
      [['operator.sign_in', ada.email, '{"way":"oidc"}']],
    )
  })

  test('the address can come from the userinfo endpoint', async () => {
    behave({ isDiscreet: true })
    assert.equal((await finish(atrium(), await visit(atrium()))).status, 200)
  })

  test('a response is accepted once, even if the provider accepts it again', async () => {
    for (const isForgetful of [false, true]) {
      behave({ isForgetful })
      const came = await visit(atrium())
      assert.equal((await finish(atrium(), came)).status, 200)
      const again = await finish(atrium(), came)
      assert.deepEqual([again.status, again.body.code], [401, 'single_sign_on_failed'])
    }
  })

  test('a sign-in started on one node can finish on another', async () => {
    const { engine, databaseUrl } = atrium()
    const other = await startAtrium(engine, { settings, database: { url: databaseUrl }, estate: { partners: [] } })
    try {
      assert.equal((await finish(other, await visit(atrium()))).status, 200)
    } finally {
      await other.stop()
    }
  })

  for (const { when, provider: how, browser: change = (came: Return) => came, status, code, detail } of scenarios) {
    test(`no operator is signed in when ${when}`, async () => {
      const { db } = atrium().service
      const last = await lastOffset(db)
      behave({ ...how, isDown: false })
      const came = change(await visit(atrium()))
      behave(how)
      const answer = await finish(atrium(), came)
      assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text)
      if (detail) assert.match(answer.body.detail, detail)
      assert.deepEqual(answer.headers.getSetCookie(), [])
      assert.equal(await lastOffset(db), last)
    })
  }
})

onEachEngine('without a provider', {}, (atrium) => {
  test('there is no single sign-on', async () => {
    assert.deepEqual((await atrium().ask('GET /cms/v1/sign-in')).body, { single_sign_on: null })
    assert.equal((await atrium().ask('POST /cms/v1/sign-in/oidc')).body.code, 'route_not_found')
    assert.equal((await finish(atrium(), { cookie: '', query: '' })).body.code, 'route_not_found')
  })
})
