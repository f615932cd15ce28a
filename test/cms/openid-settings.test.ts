import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../../src/config.ts'

const whole = {
  ATRIUM_PUBLIC_URL: 'https://atrium.example',
  ATRIUM_OIDC_ISSUER: 'https://login.example.com/realms/staff',
  ATRIUM_OIDC_CLIENT_ID: 'atrium',
  ATRIUM_OIDC_CLIENT_SECRET: 'x',
}

describe('the settings of single sign-on', () => {
  test('the required ones are read, with the defaults of the others', () => {
    assert.deepEqual(readConfig(whole).openId, {
      issuer: 'https://login.example.com/realms/staff',
      clientId: 'atrium',
      clientSecret: 'x',
      name: 'login.example.com',
      emailVerified: 'required',
      redirectUri: 'https://atrium.example/console/sign-in',
    })
  })

  test('without any of them, single sign-on is off', () => {
    assert.equal(readConfig({}).openId, null)
    assert.equal(readConfig({ ATRIUM_PUBLIC_URL: 'https://atrium.example' }).openId, null)
  })

  const wrong: [Record<string, string>, RegExp][] = [
    [{ ATRIUM_PUBLIC_URL: '' }, /^ATRIUM_OIDC_ISSUER is of no use without ATRIUM_PUBLIC_URL$/],
    [{ ATRIUM_OIDC_CLIENT_SECRET: '' }, /^ATRIUM_OIDC_ISSUER is of no use without ATRIUM_OIDC_CLIENT_SECRET$/],
    [{ ATRIUM_OIDC_ISSUER: '' }, /^ATRIUM_OIDC_CLIENT_ID is of no use without ATRIUM_OIDC_ISSUER$/],
    [{ ATRIUM_OIDC_ISSUER: 'http://login.example.com' }, /^ATRIUM_OIDC_ISSUER must be an address such as https:/],
    [{ ATRIUM_OIDC_ISSUER: 'login.example.com' }, /^ATRIUM_OIDC_ISSUER must be/],
    [{ ATRIUM_PUBLIC_URL: 'https://atrium.example/' }, /^ATRIUM_PUBLIC_URL must be like https:/],
    [{ ATRIUM_OIDC_EMAIL_VERIFIED: 'yes' }, /^ATRIUM_OIDC_EMAIL_VERIFIED must be one of required, assumed/],
  ]
  for (const [change, message] of wrong) {
    test(JSON.stringify(change), () => assert.throws(() => readConfig({ ...whole, ...change }), { message }))
  }
})
