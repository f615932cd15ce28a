import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import type { Tx } from '../../src/storage/engine.ts'
import { engines } from '../harness/databases.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'

const insert = (tx: Tx, name: string) => tx.query.insertInto('counter').values({ name, value: 1 }).execute()

for (const engine of engines) {
  describe(`a relaxed write (${engine})`, () => {
    let own: OwnDatabase
    let db: Db
    before(async () => {
      own = await ownDatabase(engine)
      db = own.db
    })
    after(() => own.end())
    const relaxed = <T>(work: (tx: Tx) => Promise<T>) => db.write(work, { durability: 'relaxed' })
    const stored = async () =>
      (await db.read((tx) => tx.query.selectFrom('counter').select('name').execute())).map(({ name }) => name)
    const waitsForTheDisk = async (tx: Tx) => {
      const setting = engine === 'sqlite' ? 'pragma synchronous' : 'show synchronous_commit'
      const { rows } = await sql.raw<object>(setting).execute(tx.query)
      return ['2', 'on'].includes(String(Object.values(rows[0] as object)[0]))
    }

    test('does not wait for the disk; full ones do, also at the same time and after it', async () => {
      const early = await relaxed(async (tx) => {
        await insert(tx, 'relaxed')
        return waitsForTheDisk(tx)
      })
      assert.equal(early, false)
      assert.deepEqual(await stored(), ['relaxed'])
      assert.equal(await db.write(waitsForTheDisk), true)
      const many = Array.from({ length: 300 }, (_, n) =>
        n % 7 === 0 ? db.write(waitsForTheDisk) : relaxed(waitsForTheDisk),
      )
      const waited = await Promise.all(many)
      assert.deepEqual(new Set(waited.filter((_, n) => n % 7 === 0)), new Set([true]))
    })

    test('changes nothing when it fails, and the next write works', async () => {
      const failing = async (tx: Tx) => {
        await insert(tx, 'x')
        throw new Error('no')
      }
      await assert.rejects(relaxed(failing), /no/)
      await db.write((tx) => insert(tx, 'y'))
      assert.deepEqual(await stored(), ['relaxed', 'y'])
    })
  })
}

describe('a full write that arrives while relaxed ones wait to begin (sqlite)', () => {
  test('is left for the next batch', async () => {
    const own = await ownDatabase('sqlite')
    const other = openDatabase(own.url)
    const level = async (tx: Tx) => {
      return (await sql<{ synchronous: number }>`pragma synchronous`.execute(tx.query)).rows[0]?.synchronous
    }
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    // Another process holds the write lock, so that they wait.
    const holding = other.write(async () => {
      begun.resolve()
      await end
    })
    await begun.promise
    const early = own.db.write(level, { durability: 'relaxed' })
    await sleep(30)
    const written = own.db.write(level)
    resolve()
    assert.deepEqual(await Promise.all([early, written]), [1, 2])
    await holding
    await other.close()
    await own.end()
  })
})
