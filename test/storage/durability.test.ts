import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Db, databaseFile, openDatabase } from '../../src/storage/database.ts'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
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

    test('doctor finds nothing wrong but what the server was started without', async () => {
      const findings = await db.inspect()
      assert.ok(findings.length >= 5)
      // The tests' own server is started without them, to be fast; it is for doctor to say so.
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
    test(`the one that ${kind}s is safe, after its first query too`, async () => {
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

describe('a reset erases', () => {
  const marker = 'canary-of-a-guest'
  const rooms = ['chu-nord-214', 'chu-nord-215', 'chu-nord-216']
  let atrium: TestAtrium
  let file: string
  before(async () => {
    atrium = await startAtrium('sqlite')
    file = await fileOf(atrium.service.db)
  })
  after(() => atrium.stop())

  const add = (room: string, round: number) => {
    const items = Array.from({ length: 60 }, (_, n) => ({
      // The audit log keeps ids and codes, and nothing else.
      code: `tv-${n}`,
      label: `${marker} label`,
      note: { text: `${marker} ${'x'.repeat(n * 20)}` },
    }))
    return atrium.ask(`POST /v1/areas/${room}/data_services`, {
      as: 'ward',
      body: { value: JSON.stringify(items) },
      headers: { 'idempotency-key': `${room} ${round}` },
    })
  }

  test('after opening, closing and deleting, and a checkpoint, nothing is left in the file', async () => {
    for (let round = 0; round < 4; round++) {
      const added = await Promise.all(rooms.map((room) => add(room, round)))
      assert.ok(added.every(({ status }) => status === 200))
      assert.ok(markersIn(file) > 100, 'the search finds what is there')
      const [first, second, third] = rooms as [string, string, string]
      await atrium.ask(`POST /v1/areas/${first}/`, { as: 'ward' })
      await atrium.ask(`DELETE /v1/areas/${second}/`, { as: 'ward' })
      for (const { id } of added[2]?.body.services.data_services ?? []) {
        await atrium.ask(`DELETE /v1/areas/${third}/data_services/${id}`, { as: 'ward' })
      }
      // The key still remembers the answer; it is the reset that takes it.
      await atrium.ask(`DELETE /v1/areas/${third}/`, { as: 'ward' })
      checkpoint(file)
      assert.equal(markersIn(file), 0, `round ${round}`)
    }
  })

  test('without secure_delete the search would find what is left', async () => {
    const database = await freshDatabase('sqlite')
    const path = databaseFile(database.url) as string
    const careless = new DatabaseSync(path)
    careless.exec('pragma journal_mode = wal; pragma secure_delete = off; create table t (a text)')
    const insert = careless.prepare('insert into t values (?)')
    for (let n = 0; n < 500; n++) insert.run(`${marker} ${n}`)
    careless.exec('delete from t; pragma wal_checkpoint(truncate)')
    assert.ok(markersIn(path) > 0)
    careless.close()
    await database.drop()
  })

  function markersIn(path: string): number {
    return ['', '-wal'].reduce((count, end) => count + readFileSync(path + end, 'latin1').split(marker).length - 1, 0)
  }
})

async function fileOf(db: Db): Promise<string> {
  const { rows } = await db.read((tx) => sql<{ file: string }>`pragma database_list`.execute(tx.query))
  return rows[0]?.file ?? ''
}

function checkpoint(file: string): void {
  const database = new DatabaseSync(file)
  const result = database.prepare('pragma wal_checkpoint(truncate)').get()
  database.close()
  assert.equal(result?.busy, 0)
}
