import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type Db, databaseFile, openDatabase } from '../../src/storage/database.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'
import { until } from '../harness/workers.ts'

const forAService = { answerWithinMs: 4000 }
const insert = (db: Db, name: string) =>
  db.write((tx) => tx.query.insertInto('counter').values({ name, value: 1 }).execute())

describe('what is in the write-ahead log comes to its place in the file (sqlite)', () => {
  let own: OwnDatabase
  before(async () => {
    own = await ownDatabase('sqlite', forAService)
  })
  after(() => own.end())

  test('while others write, long before the log is so long that the writer would do it', async () => {
    let written = 0
    await until('in the file', async () => {
      await insert(own.db, `written ${written++}`)
      return readFileSync(databaseFile(own.url) as string).includes('written 5')
    })
    assert.ok(written >= 40, `${written} were enough`)
  })

  test('and nothing is lost when the database is closed meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const db = openDatabase(own.url, forAService)
      for (let n = 0; n < 45; n++) await insert(db, `round ${round} ${n}`)
      await db.close()
    }
    const names = await own.db.read((tx) => tx.query.selectFrom('counter').select('name').execute())
    assert.equal(names.filter(({ name }) => name.startsWith('round')).length, 225)
    assert.deepEqual(
      (await own.db.inspect()).filter(({ ok }) => !ok),
      [],
    )
  })
})
