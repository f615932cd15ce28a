import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { canBeToken, newSecret } from '../../src/domain/access/token.ts'
import { bearerSecret } from '../../src/http/pipeline/bearer.ts'
import { authenticate, cachedToken, isAllowed, isUsable } from '../../src/operations/access/authenticate.ts'
import { revokeToken } from '../../src/operations/access/token.ts'
import type { CachedToken } from '../../src/storage/cached/token.ts'
import { estate } from '../harness/estate.ts'
import { seed } from '../harness/seed.ts'
import { withDb } from '../harness/with-db.ts'
import { facilitiesNamed } from './named.ts'
import { issue, onEachDatabase } from './opened.ts'

const invalid = { code: 'token_invalid', message: 'The token is unknown, expired or revoked.' }
const elsewhere = { code: 'address_not_allowed', message: 'This token cannot be used from this address.' }
const missing = { code: 'token_missing', message: 'Send the header "Authorization: Bearer <token>".' }
const here = '127.0.0.1'
const past = '2020-01-01T00:00:00.000Z'
const future = '2120-01-01T00:00:00.000Z'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Another well-formed token with the same public id. */
function forged(secret: string): string {
  const body = secret.slice(0, 13) + newSecret('atr').secret.slice(13, -6)
  let rest = crc32(body)
  let sum = ''
  for (let place = 0; place < 6; place++, rest = Math.floor(rest / 62)) sum = digits[rest % 62] + sum
  return body + sum
}

onEachDatabase('a secret', estate, (opened) => {
  const ask = (secret: string, address = here) => authenticate(opened().db, secret, address)
  const known = (secret: string, from: { remoteAddress?: string } = { remoteAddress: here }) => {
    return cachedToken(opened().db.cache, secret, from)
  }
  const look = async () => opened().db.cache.ensureFresh()

  test('is accepted on a cache miss and on a hit', async () => {
    const { secret, token } = await issue(opened().db, 'ward', { expiresAt: future })
    assert.ok(canBeToken(secret))
    assert.equal(known(secret), undefined)
    for (const time of ['first', 'second']) {
      const { id, partner, name, expiresAt } = await ask(secret)
      assert.deepEqual([id, partner.id, name, expiresAt], [token.id, 'ward', 'test', future], time)
    }
    assert.equal(known(secret)?.id, token.id)
    assert.ok(canBeToken(secret))
  })

  test('that is wrong or almost right is refused', async () => {
    const { secret } = await issue(opened().db, 'ward')
    const wrong = [
      forged(secret),
      `${secret}x`,
      secret + 'x'.repeat(100),
      secret.slice(0, -1),
      newSecret('atr').secret,
      newSecret('atk').secret,
      '',
    ]
    for (const time of ['before the right one was seen', 'after']) {
      for (const other of wrong) {
        await assert.rejects(ask(other), invalid, time)
        assert.equal(known(other), undefined, time)
      }
      await ask(secret)
    }
  })

  test('with a typing mistake costs no query', async () => {
    const { secret } = await issue(opened().db, 'ward')
    const { cache } = opened().db
    await ask(secret)
    const before = cache.tokens.metrics.misses
    for (const wrong of [`${secret.slice(0, -1)}!`, 'abc', newSecret('atk').secret]) {
      assert.equal(canBeToken(wrong), false)
      await assert.rejects(ask(wrong), invalid)
    }
    assert.equal(cache.tokens.metrics.misses, before)
  })

  test('with a typing mistake does not even revalidate the cache', async () => {
    const { secret, token } = await issue(opened().db, 'ward')
    await ask(secret)
    await withDb(opened().url, (db) => revokeToken(db, token.id))
    await assert.rejects(ask('abc'), invalid)
    assert.ok(known(secret), 'the token is still in the cache')
    await assert.rejects(ask(secret), invalid)
    assert.equal(known(secret), undefined)
  })

  test('is refused once it is revoked, on this node or another', async () => {
    for (const isElsewhere of [false, true]) {
      const { secret, token } = await issue(opened().db, 'ward')
      await ask(secret)
      if (isElsewhere) await withDb(opened().url, (db) => revokeToken(db, token.id))
      else await revokeToken(opened().db, token.id)
      await assert.rejects(ask(secret), invalid)
      await look()
      assert.equal(known(secret), undefined)
    }
  })

  test('is refused once it has expired, also from the cache', async () => {
    const { secret } = await issue(opened().db, 'ward', { expiresAt: past })
    await assert.rejects(ask(secret), invalid)
    const other = await issue(opened().db, 'ward', { expiresAt: future })
    Object.assign(await ask(other.secret), { expiresAtMs: Date.now() - 1 })
    assert.equal(known(other.secret), undefined)
    await assert.rejects(ask(other.secret), invalid)
  })

  test('is accepted from allowed addresses only', async () => {
    const { secret } = await issue(opened().db, 'ward', { allowedRanges: ['10.0.0.0/8', '127.0.0.0/8'] })
    await assert.rejects(ask(secret, '11.0.0.1'), elsewhere)
    assert.equal((await ask(secret)).partner.id, 'ward')
    assert.equal((await ask(secret, '10.9.9.9')).partner.id, 'ward')
    assert.ok(known(secret))
    assert.equal(known(secret, { remoteAddress: '11.0.0.1' }), undefined)
    assert.equal(known(secret, {}), undefined)
    await assert.rejects(ask(secret, '11.0.0.1'), elsewhere)
    await assert.rejects(ask(secret, ''), elsewhere)
  })

  test('without address ranges is accepted without reading the address', async () => {
    const { secret } = await issue(opened().db, 'ward')
    assert.equal((await ask(secret, '')).partner.id, 'ward')
    assert.ok(known(secret, {}))
  })

  test('has the present permissions of its partner, until the partner is removed', async () => {
    const partner = { id: 'new', name: 'New', grants: [{ facilities: ['lyon-01'], read: [], write: [], rooms: [] }] }
    await seed(opened().db, { partners: [partner] })
    const { secret } = await issue(opened().db, 'new')
    const before = await ask(secret)
    assert.deepEqual(facilitiesNamed(before.partner), ['lyon-01'])
    await withDb(opened().url, (db) => seed(db, { partners: [{ ...partner, grants: [] }] }))
    const after = await ask(secret)
    assert.deepEqual(facilitiesNamed(after.partner), [])
    assert.ok(after.partner.version > before.partner.version)
    await withDb(opened().url, (db) => seed(db, { partners: estate.partners }, { prune: true }))
    await assert.rejects(ask(secret), invalid)
  })

  test('is accepted in one header and one form', async () => {
    const { secret } = await issue(opened().db, 'ward')
    const of = async (authorization?: string, address = '') => {
      return ask(bearerSecret(authorization === undefined ? {} : { authorization }), address)
    }
    for (const right of [`Bearer ${secret}`, `bearer  ${secret}  `]) assert.equal((await of(right)).partner.id, 'ward')
    assert.equal((await of(`Bearer ${secret}`, here)).partner.id, 'ward')
    const wrong = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      secret,
      `Basic ${secret}`,
      `Bearer ${secret} x`,
      `x Bearer ${secret}`,
    ]
    for (const other of wrong) await assert.rejects(of(other), missing, other)
    await assert.rejects(of('Bearer x'), invalid)
    const bound = await issue(opened().db, 'ward', { allowedRanges: ['127.0.0.1/32'] })
    assert.equal((await of(`Bearer ${bound.secret}`, here)).partner.id, 'ward')
    await assert.rejects(of(`Bearer ${bound.secret}`), elsewhere)
  })
})

test('a token is usable until its end, unless it was revoked', () => {
  const usable = (revokedAt: string | null, expiresAtMs: number) => {
    return isUsable({ revokedAt, expiresAtMs } as CachedToken, 1000)
  }
  for (const end of [1001, Number.POSITIVE_INFINITY]) {
    assert.ok(usable(null, end))
    assert.ok(!usable(past, end))
  }
  for (const end of [999, 1000]) assert.ok(!usable(null, end))
})

test('a token without ranges is allowed from every address', () => {
  assert.ok(isAllowed('10.0.0.1', []))
  assert.ok(isAllowed('10.0.0.1', ['10.0.0.0/8']))
  assert.ok(!isAllowed('11.0.0.1', ['10.0.0.0/8']))
})
