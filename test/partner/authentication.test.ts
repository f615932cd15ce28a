import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToken, revokeToken, rotateToken } from '../../src/operations/access/token.ts'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { until } from '../harness/workers.ts'

const path = 'GET /v1/facilities/'

async function tokenFor({ service }: TestAtrium, rest: { expiresAt?: string; allowedRanges?: string[] } = {}) {
  const order = {
    partner: 'ward',
    name: 'x',
    expiresAt: rest.expiresAt ?? null,
    allowedRanges: rest.allowedRanges ?? [],
  }
  const issued = await createToken(service.db, order)
  assert.ok(issued)
  return issued
}

onEachEngine('tokens', {}, (atrium) => {
  const status = async (secret: string) => (await atrium().ask(path, { as: secret })).status

  const headers: [string, string | undefined, string][] = [
    ['no header', undefined, 'token_missing'],
    ['an empty one', '', 'token_missing'],
    ['another scheme', 'Basic YTpi', 'token_missing'],
    ['no scheme', 'TOKEN', 'token_missing'],
    ['Bearer alone', 'Bearer', 'token_missing'],
    ['two words', 'Bearer TOKEN TOKEN', 'token_missing'],
    ['something else', 'Bearer abc', 'token_invalid'],
    ['a mistyped token', 'Bearer TOKENx', 'token_invalid'],
    [
      'a well-formed unknown one',
      'Bearer atr_00000000_00000000000000000000000000000000000000000000000000',
      'token_invalid',
    ],
  ]
  for (const [when, value, code] of headers) {
    test(`${when}: 401 ${code}`, async () => {
      const authorization = value?.replaceAll('TOKEN', atrium().tokens.ward as string)
      const answer = await atrium().ask(path, { headers: authorization === undefined ? {} : { authorization } })
      assertProblem(answer, 401, code)
      const challenge = 'Bearer realm="atrium"'
      const expected = code === 'token_missing' ? challenge : `${challenge}, error="invalid_token"`
      assert.equal(answer.headers.get('www-authenticate'), expected)
    })
  }

  test('the scheme is read in any case', async () => {
    const answer = await atrium().ask(path, { headers: { authorization: `bearer ${atrium().tokens.ward}` } })
    assert.equal(answer.status, 200)
  })

  test('a wrong secret with a known public id is refused', async () => {
    const mine = (await tokenFor(atrium())).secret
    const other = (await tokenFor(atrium())).secret
    assert.equal(await status(mine.slice(0, 13) + other.slice(13)), 401)
  })

  test('an expired token is refused', async () => {
    const { secret } = await tokenFor(atrium(), { expiresAt: '2020-01-01T00:00:00.000Z' })
    assert.equal(await status(secret), 401)
  })

  test('a revoked token is refused in the very next request', async () => {
    const { secret, token } = await tokenFor(atrium())
    assert.equal(await status(secret), 200)
    await revokeToken(atrium().service.db, token.id)
    assert.equal(await status(secret), 401)
  })

  test('after a rotation both work until the grace time is over', async () => {
    const { secret, token } = await tokenFor(atrium())
    const rotated = await rotateToken(atrium().service.db, token.id, { graceSeconds: 3600 })
    assert.ok(typeof rotated === 'object')
    assert.deepEqual([await status(secret), await status(rotated.secret)], [200, 200])
    const again = await rotateToken(atrium().service.db, rotated.token.id, { graceSeconds: 0 })
    assert.ok(typeof again === 'object')
    assert.deepEqual([await status(rotated.secret), await status(again.secret)], [401, 200])
  })

  test('allowed ranges apply to the address of the connection, not to a header', async () => {
    const here = await tokenFor(atrium(), { allowedRanges: ['10.0.0.0/8', '127.0.0.0/8'] })
    assert.equal(await status(here.secret), 200)
    const elsewhere = await tokenFor(atrium(), { allowedRanges: ['10.0.0.0/8', '2001:db8::/32'] })
    const answer = await atrium().ask(path, { as: elsewhere.secret, headers: { 'x-forwarded-for': '10.1.1.1' } })
    assertProblem(answer, 403, 'address_not_allowed')
  })

  test('the last use is stored to the minute, in the background', async () => {
    const { secret, token } = await tokenFor(atrium())
    await status(secret)
    const lastUsed = async () => {
      const row = await atrium().service.db.read((tx) =>
        tx.query.selectFrom('token').where('id', '=', token.id).select('last_used_at').executeTakeFirst(),
      )
      return row?.last_used_at ?? undefined
    }
    assert.match(await until('a note of it', lastUsed), /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/)
  })
})
