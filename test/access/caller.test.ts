import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret } from '../../src/domain/access/token.ts'
import { commandLine } from '../../src/domain/audit/audit.ts'
import type { Caller } from '../../src/operations/access/authenticate.ts'
import { reauthenticate } from '../../src/operations/access/lookup.ts'
import { revokeToken } from '../../src/operations/access/token.ts'
import type { Db } from '../../src/storage/database.ts'
import { estate } from '../harness/estate.ts'
import { seed } from '../harness/seed.ts'
import { withDb } from '../harness/with-db.ts'
import { facilitiesNamed } from './named.ts'
import { issue, onEachDatabase } from './opened.ts'

const gone = { code: 'token_invalid', message: 'The token is unknown, expired or revoked.' }

async function issued(...args: Parameters<typeof issue>): Promise<NonNullable<Caller['token']>> {
  const { token, secret } = await issue(...args)
  return { id: token.id, hash: hashSecret(secret) }
}

onEachDatabase('a caller that is authenticated again in the transaction', estate, (opened) => {
  const ask = async (partner: string, token?: Caller['token'], tries: number[] = []) => {
    const { db } = opened()
    const caller = {
      partner: { id: partner },
      token,
      actor: commandLine,
    }
    return db.write(async (tx) => {
      tries.push(1)
      return reauthenticate(tx, db.cache, caller)
    })
  }
  const elsewhere = <T>(work: (db: Db) => Promise<T>) => withDb(opened().url, work)

  test('is the partner of the token', async () => {
    const token = await issued(opened().db, 'ward')
    assert.equal((await ask('ward', token)).id, 'ward')
  })

  test('is refused when the token was revoked on another node meanwhile', async () => {
    const token = await issued(opened().db, 'ward')
    await ask('ward', token)
    await elsewhere((db) => revokeToken(db, token.id))
    await assert.rejects(ask('ward', token), gone)
    await assert.rejects(ask('ward', token), gone)
  })

  test('is refused when the token has expired or does not exist', async () => {
    const token = await issued(opened().db, 'ward', { expiresAt: '2020-01-01T00:00:00.000Z' })
    await assert.rejects(ask('ward', token), gone)
    await assert.rejects(ask('ward', { id: 'unknown0', hash: hashSecret('unknown') }), gone)
  })

  test('is the partner that an operator acts for, if there is one', async () => {
    assert.equal((await ask('bare')).id, 'bare')
    await assert.rejects(ask('nobody'), gone)
  })

  test('has its present permissions, without a retry where no other process can write', async () => {
    const token = await issued(opened().db, 'hotelier')
    for (const name of [token, undefined]) {
      const before = await ask('hotelier', name)
      const tries: number[] = []
      await elsewhere((db) => seed(db, { partners: [changed(facilitiesNamed(before).length)] }))
      const after = await ask('hotelier', name, tries)
      assert.ok(after.version > before.version)
      assert.notDeepEqual(facilitiesNamed(after), facilitiesNamed(before))
      assert.ok(tries.length <= 2, `${tries.length} tries`)
    }
  })

  test('costs one query when nothing has changed', async () => {
    await ask('bare')
    const tries: number[] = []
    await ask('bare', undefined, tries)
    assert.equal(tries.length, 1)
  })

  test('leaves other partners cached', async () => {
    const before = await ask('everything')
    await elsewhere((db) => issue(db, 'ward'))
    assert.equal((await ask('everything')).version, before.version)
  })
})

function changed(before: number) {
  const facilities = before === 1 ? ['lyon-01', 'nice-02'] : ['lyon-01']
  return { id: 'hotelier', name: 'Hotel PMS', grants: [{ facilities, read: [], write: [], rooms: [] }] }
}
