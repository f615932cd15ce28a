import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, databaseFile, openDatabase } from '../../src/storage/database.ts'
import { Checkpointer } from '../../src/storage/sqlite/checkpoint.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'
import { until } from '../harness/workers.ts'

const forAService = { responseTimeoutMs: 4000 }
const insert = (db: Db, name: string) =>
  db.write((tx) => tx.query.insertInto('counter').values({ name, value: 1 }).execute())

describe('a thread for the write-ahead log that fails', () => {
  const noted = (checkpoints: Checkpointer) => {
    for (let commit = 0; commit < 40; commit++) checkpoints.noteCommit()
  }
  const paths = {
    'that is not there': () => join(mkdtempSync(join(tmpdir(), 'log-')), 'gone', 'atrium.db'),
    'that is no database': () => {
      const path = join(mkdtempSync(join(tmpdir(), 'log-')), 'atrium.db')
      writeFileSync(path, 'a letter, not a database '.repeat(100))
      return path
    },
  }
  for (const [what, path] of Object.entries(paths)) {
    test(`of a file ${what} is told once, and not started again at once`, async () => {
      const failures: unknown[] = []
      const checkpoints = new Checkpointer(path(), (error) => failures.push(error))
      noted(checkpoints)
      await until('told', async () => failures.length > 0)
      for (let turn = 0; turn < 5; turn++) {
        noted(checkpoints)
        await sleep(50)
      }
      assert.equal(failures.length, 1)
      assert.equal((failures[0] as NodeJS.ErrnoException).code, 'ERR_SQLITE_ERROR')
      await checkpoints.end()
    })
  }
})

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
