import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret, newSecret } from '../../src/domain/access/token.ts'
import { authenticate } from '../../src/operations/access/authenticate.ts'
import { findTokens, importToken, revokeToken, rotateToken } from '../../src/operations/access/token.ts'
import { estate } from '../harness/estate.ts'
import { withDb } from '../harness/with-db.ts'
import { onEachDatabase } from './opened.ts'

const invalid = { code: 'token_invalid' }
const here = '127.0.0.1'
const rotateBy = '2120-01-01T00:00:00.000Z'
let count = 0

onEachDatabase('a token that was issued elsewhere', estate, (opened) => {
  const fresh = () => `opaque-secret-of-the-past-${++count}`
  const draft = (secret: string) => {
    const hash = hashSecret(secret)
    return { partner: 'ward', name: 'tills', expiresAt: null, allowedRanges: [], hash, rotateBy }
  }
  const imported = async (secret: string) => {
    const token = await importToken(opened().db, draft(secret))
    assert.ok(token)
    return token
  }
  const ask = (secret: string) => authenticate(opened().db, secret, here)

  test('works from its import on, also where it was refused before', async () => {
    for (const isElsewhere of [false, true]) {
      const secret = fresh()
      await assert.rejects(ask(secret), invalid)
      if (isElsewhere) await withDb(opened().url, (db) => importToken(db, draft(secret)))
      else await imported(secret)
      const { partner, name, rotateBy: by } = await ask(secret)
      assert.deepEqual([partner.id, name, by], ['ward', 'tills', rotateBy])
    }
  })

  test('is found from the cache without a query', async () => {
    const secret = fresh()
    await imported(secret)
    await ask(secret)
    const { misses } = opened().db.cache.tokens.metrics
    await ask(secret)
    assert.equal(opened().db.cache.tokens.metrics.misses, misses)
  })

  test('of another installation of Atrium works as well', async () => {
    const { secret } = newSecret('atr')
    await assert.rejects(ask(secret), invalid)
    const { id } = await imported(secret)
    assert.equal((await ask(secret)).id, id)
  })

  test('cannot be imported twice, not even for another partner or after it was revoked', async () => {
    const secret = fresh()
    const { id } = await imported(secret)
    const again = { code: 'token_exists', message: `Token ${id} of ward has this hash already.` }
    await assert.rejects(importToken(opened().db, { ...draft(secret), partner: 'bare' }), again)
    await revokeToken(opened().db, id)
    await assert.rejects(importToken(opened().db, draft(secret)), again)
    await assert.rejects(ask(secret), invalid)
  })

  test('is imported once by two operators at the same moment', async () => {
    const secret = fresh()
    const both = await Promise.allSettled([
      importToken(opened().db, draft(secret)),
      withDb(opened().url, (db) => importToken(db, draft(secret))),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const failed = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    assert.equal(failed.reason.code, 'token_exists')
    assert.equal((await ask(secret)).name, 'tills')
  })

  test('of an unknown partner is not imported', async () => {
    assert.equal(await importToken(opened().db, { ...draft(fresh()), partner: 'missing' }), undefined)
  })

  test('is replaced by a token that Atrium issued', async () => {
    const secret = fresh()
    const { id } = await imported(secret)
    const rotation = await rotateToken(opened().db, id, { graceSeconds: 60 })
    assert.ok(typeof rotation === 'object')
    assert.equal(rotation.token.rotateBy, null)
    assert.equal((await ask(secret)).id, id, 'in its grace time')
    assert.equal((await ask(rotation.secret)).id, rotation.token.id)
    const tokens = await findTokens(opened().db, 'ward')
    assert.equal(tokens?.find((token) => token.id === id)?.successor, rotation.token.id)
  })
})
