import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { createOperator } from '../../src/operations/access/operator.ts'
import { createSignInLink } from '../../src/operations/access/sign-in.ts'
import { countFailure } from '../../src/storage/access/sign-in.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator, browser, cheapHash, password } from '../harness/operators.ts'
import { parseRaw, sendRaw } from '../harness/raw.ts'

onEachEngine('signing in', {}, (atrium) => {
  const make = (email: string, password: string | null) =>
    createOperator(atrium().service.db, commandLine, { email, name: 'Ada', role: 'admin', password })
  const create = async (email: string) => {
    const { id } = await make(email, null)
    const { db } = atrium().service
    await db.write((tx) => tx.query.updateTable('operator').set({ password: cheapHash }).where('id', '=', id).execute())
    return { id }
  }

  test('a password starts a session in a cookie that scripts and other sites cannot read', async () => {
    await make('ada@example.com', password)
    const ask = browser(atrium())
    const { status, headers, body } = await ask('POST /cms/v1/sign-in', {
      body: { email: ' Ada@Example.com', password },
    })
    assert.equal(status, 200)
    assert.match(
      headers.get('set-cookie') ?? '',
      /^atrium_session=[0-9A-Za-z]{43}; Path=\/; Max-Age=43\d{3}; HttpOnly; SameSite=Strict$/,
    )
    assert.equal(body.operator.email, 'ada@example.com')
    assert.equal((await ask('GET /cms/v1/me')).body.via, 'session')
    assert.equal((await ask('POST /cms/v1/sign-out')).body.ended, 1)
    assert.equal((await ask('GET /cms/v1/me')).body.code, 'sign_in_required')
  })

  test('a wrong password and an unknown address get the same refusal and the same delays', async () => {
    await create('bob@example.com')
    const tries = async (email: string) => {
      const body = { email, password: 'not the right one' }
      for (let count = 1; count <= 12; count++) {
        const answer = await atrium().ask('POST /cms/v1/sign-in', { body })
        if (answer.status === 429) return answer.body.code
        assert.deepEqual([answer.status, answer.body.detail], [401, 'The e-mail address or the password is incorrect.'])
      }
      return 'never slowed'
    }
    assert.equal(await tries('nobody@example.com'), 'sign_in_slowed')
    assert.equal(await tries('bob@example.com'), 'sign_in_slowed')
    // Some more attempts, so that the delay has not elapsed at the next one.
    const subject = JSON.stringify(['pair', 'bob@example.com', '127.0.0.1'])
    for (let more = 0; more < 5; more++) {
      await atrium().service.db.write((tx) => countFailure(tx, subject, new Date().toISOString(), ''))
    }
    const right = await atrium().ask('POST /cms/v1/sign-in', { body: { email: 'bob@example.com', password } })
    assert.equal(right.status, 429, 'the right password has to wait as well')
    assert.ok(Number(right.headers.get('retry-after')) >= 1)
  })

  test('a link signs in once', async () => {
    const { id } = await create('cleo@example.com')
    const { secret } = await createSignInLink(atrium().service.db, commandLine, id)
    const ask = browser(atrium())
    assert.equal((await ask('POST /cms/v1/sign-in/link', { body: { secret } })).body.operator.id, id)
    assert.equal((await ask('GET /cms/v1/me')).status, 200)
    assert.equal((await atrium().ask('POST /cms/v1/sign-in/link', { body: { secret } })).body.code, 'sign_in_refused')
  })

  test('signing out everywhere ends every session at once', async () => {
    await create('dora@example.com')
    const browsers = [browser(atrium()), browser(atrium())] as const
    for (const ask of browsers) await ask('POST /cms/v1/sign-in', { body: { email: 'dora@example.com', password } })
    assert.equal((await browsers[0]('GET /cms/v1/sessions')).body.length, 2)
    assert.equal((await browsers[0]('DELETE /cms/v1/sessions')).body.ended, 2)
    for (const ask of browsers) assert.equal((await ask('GET /cms/v1/me')).status, 401)
  })

  test('a new password ends the sessions, and needs the old one', async () => {
    await create('eve@example.com')
    const ask = browser(atrium())
    await ask('POST /cms/v1/sign-in', { body: { email: 'eve@example.com', password } })
    const change = (current_password: string) =>
      ask('PATCH /cms/v1/me', { body: { password: 'another short sentence', current_password } })
    assert.equal((await change('not the right one')).body.code, 'sign_in_refused')
    assert.equal((await change(password)).status, 200)
    assert.equal((await ask('GET /cms/v1/me')).status, 401)
  })

  test('guesses of the current password in a session are delayed as at a sign-in', async () => {
    await create('flo@example.com')
    const ask = browser(atrium())
    await ask('POST /cms/v1/sign-in', { body: { email: 'flo@example.com', password } })
    const body = { password: 'another short sentence', current_password: 'not the right one' }
    const codes: string[] = []
    for (let count = 1; count <= 12 && codes.at(-1) !== 'sign_in_slowed'; count++) {
      codes.push((await ask('PATCH /cms/v1/me', { body })).body.code)
    }
    assert.equal(codes.at(-1), 'sign_in_slowed')
  })

  test('changes with a cookie are accepted from our own pages only', async () => {
    await create('finn@example.com')
    const ask = browser(atrium())
    const signedIn = await ask('POST /cms/v1/sign-in', { body: { email: 'finn@example.com', password } })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0]
    const { host, port, hostname } = new URL(atrium().url)
    const forged: Record<string, string>[] = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
      { origin: '' },
      { origin: `http://${hostname}:${Number(port) + 1}`, 'sec-fetch-site': 'same-site' },
      { origin: `http://console.${host}`, 'sec-fetch-site': 'same-site' },
      { origin: `http://${host}.evil.example` },
      { origin: `http://${hostname}` },
      { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' },
      { origin: `http://${host}`, 'sec-fetch-site': 'none' },
      { origin: `file://${host}x` },
    ]
    for (const headers of forged) {
      const { status, body } = await ask('DELETE /cms/v1/sessions', {
        headers: { 'sec-fetch-site': 'cross-site', ...headers },
      })
      assert.deepEqual([status, body.code], [403, 'origin_refused'], JSON.stringify(headers))
    }
    assert.equal((await ask('GET /cms/v1/me')).status, 200, 'nothing was signed out')
    const raw = async (version: string, lines: string[]) => {
      const head = [`DELETE /cms/v1/sessions HTTP/${version}`, `Cookie: ${cookie}`, 'Connection: close', ...lines]
      return parseRaw(await sendRaw(atrium().url, `${head.join('\r\n')}\r\n\r\n`)).status
    }
    assert.equal(await raw('1.0', ['Origin: null']), 403)
    assert.equal(await raw('1.0', ['Origin: x']), 403)
    assert.equal(await raw('1.0', ['Host: ', 'Origin: file://']), 403)
    assert.equal(await raw('1.1', ['Host: a', 'Origin: https://a']), 403, 'the scheme is another')
    assert.equal(await raw('1.1', ['Host: a', 'Origin: https://a', 'Sec-Fetch-Site: same-origin']), 200)
  })

  test('a key is refused once it is revoked, and with its operator', async () => {
    const { id, key } = await addOperator(atrium(), 'admin', 'gwen')
    const other = await addOperator(atrium(), 'admin', 'hugo')
    const made = await atrium().ask('POST /cms/v1/keys', { as: key, body: { name: 'ci' } })
    assert.match(made.body.secret, /^atk_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/)
    const me = (secret: string) => atrium().ask('GET /cms/v1/me', { as: secret })
    assert.equal((await me(made.body.secret)).body.operator.id, id)
    await atrium().ask(`DELETE /cms/v1/keys/${made.body.key.id}`, { as: key })
    assert.equal((await me(made.body.secret)).body.code, 'key_invalid')
    await atrium().ask(`PATCH /cms/v1/operators/${id}`, { as: other.key, body: { disabled: true } })
    assert.equal((await me(key)).body.code, 'key_invalid')
  })

  test("a partner's token is refused by the CMS, and an operator's key by /v1", async () => {
    const { key } = await addOperator(atrium(), 'admin', 'ines')
    assert.equal((await atrium().ask('GET /cms/v1/me', { as: 'everything' })).body.code, 'key_invalid')
    assert.equal((await atrium().ask('GET /v1/me', { as: key })).body.code, 'token_invalid')
  })
})
