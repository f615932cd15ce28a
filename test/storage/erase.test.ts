import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Erasure } from '../../src/operations/background/erase.ts'
import { type Db, databaseFile } from '../../src/storage/database.ts'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { type Engine, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { until } from '../harness/workers.ts'

const marker = 'canary-of-a-guest'
const rooms = ['chu-nord-214', 'chu-nord-215', 'chu-nord-216'] as const

function add(atrium: TestAtrium, room: string, round: number) {
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

/** Guests come and go: one room is opened again, one closed, and one emptied piece by piece and then closed. */
async function comeAndGo(atrium: TestAtrium, round: number, whileThere: () => void): Promise<void> {
  const added = await Promise.all(rooms.map((room) => add(atrium, room, round)))
  assert.ok(added.every(({ status }) => status === 200))
  whileThere()
  const [first, second, third] = rooms
  await atrium.ask(`POST /v1/areas/${first}/`, { as: 'ward' })
  await atrium.ask(`DELETE /v1/areas/${second}/`, { as: 'ward' })
  for (const { id } of added[2]?.body.services.data_services ?? []) {
    await atrium.ask(`DELETE /v1/areas/${third}/data_services/${id}`, { as: 'ward' })
  }
  // The key still remembers the answer; it is the reset that takes it.
  await atrium.ask(`DELETE /v1/areas/${third}/`, { as: 'ward' })
}

/** A node that erases only when it is told to. */
function started(engine: Engine, database: FreshDatabase): Promise<TestAtrium> {
  return startAtrium(engine, { database, seeded: true, settings: { ATRIUM_ERASE_SECONDS: '86400' } })
}

describe('what a reset deletes is erased (sqlite)', () => {
  let database: FreshDatabase
  let atrium: TestAtrium
  let file: string
  before(async () => {
    database = await freshDatabase('sqlite')
    file = databaseFile(database.url) as string
    atrium = await started('sqlite', database)
  })
  after(async () => {
    await atrium.stop()
    await database.drop()
  })

  test('nothing is left in the file and its log, time after time', async () => {
    const erasure = new Erasure(atrium.service.db)
    for (let round = 0; round < 4; round++) {
      await comeAndGo(atrium, round, () => assert.ok(markersIn(file) > 100, 'the search finds what is there'))
      await erasure.run()
      assert.equal(markersIn(file), 0, `round ${round}`)
    }
  })

  test('what removes nothing leaves the log as it is', async () => {
    const erasure = new Erasure(atrium.service.db)
    await erasure.run()
    await atrium.ask('PATCH /v1/facilities/lyon-01/name', { as: 'everything', body: { value: 'Renamed' } })
    await erasure.run()
    assert.ok(logBytes(file) > 0)
    await atrium.ask(`POST /v1/areas/${rooms[0]}/`, { as: 'ward' })
    await erasure.run()
    assert.equal(logBytes(file), 0)
  })

  test('a log that has grown large is emptied too, while others write', async () => {
    const erasure = new Erasure(atrium.service.db)
    for (let round = 20; logBytes(file) < 2_000_000; round++) await comeAndGo(atrium, round, () => {})
    const rename = (n: number) =>
      atrium.ask('PATCH /v1/facilities/lyon-01/name', { as: 'everything', body: { value: `Renamed ${n}` } })
    const writing = Array.from({ length: 50 }, (_, n) => rename(n))
    await Promise.all([erasure.run(), ...writing])
    assert.equal(markersIn(file), 0)
    assert.ok((await Promise.all(writing)).every(({ status }) => status === 200))
  })

  test('a reader of an older state is waited for, and the next run erases', async () => {
    const erasure = new Erasure(atrium.service.db)
    await erasure.run()
    await add(atrium, rooms[0], 9)
    const reader = new DatabaseSync(file)
    reader.exec('begin; select count(*) from area')
    await atrium.ask(`POST /v1/areas/${rooms[0]}/`, { as: 'ward' })
    await erasure.run()
    assert.ok(markersIn(file) > 0)
    reader.close()
    await erasure.run()
    assert.equal(markersIn(file), 0)
  })

  test('a node does it by itself, after its start', async () => {
    await comeAndGo(atrium, 10, () => {})
    assert.ok(markersIn(file) > 0)
    const other = await startAtrium('sqlite', { database })
    await until('the end of what was deleted', async () => markersIn(file) === 0)
    await other.stop()
  })

  test('without secure_delete the search would find what is left', async () => {
    const careless = await freshDatabase('sqlite')
    const path = databaseFile(careless.url) as string
    const connection = new DatabaseSync(path)
    connection.exec('pragma journal_mode = wal; pragma secure_delete = off; create table t (a text)')
    const insert = connection.prepare('insert into t values (?)')
    for (let n = 0; n < 500; n++) insert.run(`${marker} ${n}`)
    connection.exec('delete from t; pragma wal_checkpoint(truncate)')
    assert.ok(markersIn(path) > 0)
    connection.close()
    await careless.drop()
  })
})

function markersIn(path: string): number {
  return ['', '-wal'].reduce((count, end) => count + readFileSync(path + end, 'latin1').split(marker).length - 1, 0)
}

function logBytes(path: string): number {
  return statSync(`${path}-wal`).size
}

describe('what a reset deletes is erased (postgres)', () => {
  let database: FreshDatabase
  let atrium: TestAtrium
  before(async () => {
    database = await freshDatabase('postgres')
    atrium = await started('postgres', database)
    await atrium.service.db.write((tx) => sql`create extension pgstattuple`.execute(tx.query))
  })
  after(async () => {
    await atrium.stop()
    await database.drop()
  })

  test('no dead row is left in the tables that hold what guests have', async () => {
    await comeAndGo(atrium, 0, () => {})
    assert.ok((await deadRows(atrium.service.db)) > 0, 'the search finds what is there')
    // What another transaction may still look at stays until the next time.
    for (let time = 0; time < 20 && (await deadRows(atrium.service.db)) > 0; time++) {
      await new Erasure(atrium.service.db).run()
      await pause(100)
    }
    assert.equal(await deadRows(atrium.service.db), 0)
  })

  async function deadRows(db: Db): Promise<number> {
    const { rows } = await db.read((tx) =>
      sql<{ dead: number }>`select sum(dead_tuple_count)::int as dead from
        unnest(array['area', 'idempotency_key']) name, pgstattuple(name)`.execute(tx.query),
    )
    return rows[0]?.dead ?? 0
  }
})
