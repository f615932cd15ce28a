import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import type { OpenIdIdentity } from '../../src/domain/access/openid.ts'
import { OpenIdProvider } from '../../src/http/cms/operators/openid-provider.ts'
import { type Person, TestOpenIdProvider } from '../harness/openid-provider.ts'

const provider = await new TestOpenIdProvider().start()

async function signIn(person: Person, more: Record<string, string> = {}): Promise<OpenIdIdentity> {
  const { openId } = readConfig({ ...provider.settings(), ...more })
  assert.ok(openId)
  const client = new OpenIdProvider(openId)
  provider.person = person
  const { location, attempt } = await client.begin()
  const sent = await fetch(location, { redirect: 'manual' })
  return client.finish(new URL(sent.headers.get('location') ?? '').search, attempt)
}

describe('differences between providers', () => {
  const email = 'ada@example.com'
  const assumed = { ATRIUM_OIDC_EMAIL_VERIFIED: 'assumed' }
  const rows: [string, Person, Record<string, string>, boolean][] = [
    ['an address is verified', { email, email_verified: true }, {}, true],
    ['nothing is said of it', { email }, {}, false],
    ['nothing is said of it, and that is enough', { email }, assumed, true],
    ['it is not, whatever is assumed', { email, email_verified: false }, assumed, false],
  ]
  for (const [when, person, settings, isVerified] of rows) {
    test(when, async () => assert.deepEqual(await signIn(person, settings), { email, isVerified }))
  }

  test('the client secret can be sent in the form', async () => {
    provider.wantsForm = true
    assert.equal((await signIn({ email, email_verified: true })).email, email)
  })
})
