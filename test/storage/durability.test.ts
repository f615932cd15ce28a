import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'

for (const engine of engines) {
  describe(`a connection keeps what it acknowledges (${engine})`, () => {
    let database: FreshDatabase
    let db: Db
    before(async () => {
      database = await freshDatabase(engine)
      db = openDatabase(database.url)
    })
    after(async () => {
      await db.close()
      await database.drop()
    })

    test('doctor finds only the settings that the test server turns off', async () => {
      const findings = await db.inspect()
      assert.ok(findings.length >= 5)
      // Turned off on the test server for speed, which doctor must report.
      const optional = /^PostgreSQL (fsync|full_page_writes)$/
      const wrong = findings.filter(({ check, ok, detail }) => ok === (optional.test(check) && detail === 'off'))
      assert.deepEqual(wrong, [])
    })
  })
}

describe('every connection to a file', () => {
  const settings: [string, unknown][] = [
    ['synchronous', 2],
    ['secure_delete', 1],
    ['foreign_keys', 1],
    ['journal_mode', 'wal'],
  ]
  for (const kind of ['read', 'write'] as const) {
    test(`the one that ${kind}s has the safe settings, also after its first query`, async () => {
      const database = await freshDatabase('sqlite')
      const db = openDatabase(database.url)
      const ask = (name: string) =>
        db[kind](async (tx) => Object.values((await sql.raw(`pragma ${name}`).execute(tx.query)).rows[0] as object)[0])
      for (let round = 0; round < 2; round++) {
        for (const [name, value] of settings) assert.equal(await ask(name), value, name)
        await db[kind]((tx) => sql`select count(*) from sqlite_schema`.execute(tx.query))
      }
      assert.equal(await ask('query_only'), kind === 'read' ? 1 : 0)
      await db.close()
      await database.drop()
    })
  }
})
