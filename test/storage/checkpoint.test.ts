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

const asService = { responseTimeoutMs: 4000 }
const insert = (db: Db, name: string) =>
  db.write((tx) => tx.query.insertInto('counter').values({ name, value: 1 }).execute())

describe('a checkpoint thread that fails', () => {
  const commit40Times = (checkpointer: Checkpointer) => {
    for (let commit = 0; commit < 40; commit++) checkpointer.onCommit()
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
    test(`on a file ${what} is reported once, and not restarted at once`, async () => {
      const failures: unknown[] = []
      const checkpointer = new Checkpointer(path(), (error) => failures.push(error))
      commit40Times(checkpointer)
      await until('the failure is reported', async () => failures.length > 0)
      for (let turn = 0; turn < 5; turn++) {
        commit40Times(checkpointer)
        await sleep(50)
      }
      assert.equal(failures.length, 1)
      assert.equal((failures[0] as NodeJS.ErrnoException).code, 'ERR_SQLITE_ERROR')
      await checkpointer.stop()
    })

    test(`on a file ${what} fails the truncation`, async () => {
      const checkpointer = new Checkpointer(path(), () => {})
      await assert.rejects(checkpointer.truncate(), { code: 'ERR_SQLITE_ERROR' })
      await checkpointer.stop()
    })
  }
})

describe('the write-ahead log is copied into the database file (sqlite)', () => {
  let own: OwnDatabase
  before(async () => {
    own = await ownDatabase('sqlite', asService)
  })
  after(() => own.end())

  test('during writes, long before the automatic checkpoint', async () => {
    let written = 0
    await until('in the file', async () => {
      await insert(own.db, `written ${written++}`)
      return readFileSync(databaseFile(own.url) as string).includes('written 5')
    })
    assert.ok(written >= 40, `${written} were enough`)
  })

  test('and nothing is lost when the database is closed during a checkpoint', async () => {
    for (let round = 0; round < 5; round++) {
      const db = openDatabase(own.url, asService)
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
