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
    // Without the marker, as the audit log keeps ids and codes.
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

/** Adds subscriptions to three rooms. Then reopens one, closes one, and empties and closes the third. */
async function changeGuests(atrium: TestAtrium, round: number, whileThere: () => void): Promise<void> {
  const added = await Promise.all(rooms.map((room) => add(atrium, room, round)))
  assert.ok(added.every(({ status }) => status === 200))
  whileThere()
  const [first, second, third] = rooms
  await atrium.ask(`POST /v1/areas/${first}/`, { as: 'ward' })
  await atrium.ask(`DELETE /v1/areas/${second}/`, { as: 'ward' })
  for (const { id } of added[2]?.body.services.data_services ?? []) {
    await atrium.ask(`DELETE /v1/areas/${third}/data_services/${id}`, { as: 'ward' })
  }
  // Purges the response that is still stored under the idempotency key.
  await atrium.ask(`DELETE /v1/areas/${third}/`, { as: 'ward' })
}

/** Starts a node whose own erasure job does not run during the test. */
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

  test('nothing is left in the file and its log, round after round', async () => {
    const erasure = new Erasure(atrium.service.db)
    for (let round = 0; round < 4; round++) {
      await changeGuests(atrium, round, () => assert.ok(markersIn(file) > 100, 'the search finds what is there'))
      await erasure.run()
      assert.equal(markersIn(file), 0, `round ${round}`)
    }
  })

  test('a change that removes nothing leaves the log as it is', async () => {
    const erasure = new Erasure(atrium.service.db)
    await erasure.run()
    await atrium.ask('PATCH /v1/facilities/lyon-01/name', { as: 'everything', body: { value: 'Renamed' } })
    await erasure.run()
    assert.ok(logBytes(file) > 0)
    await atrium.ask(`POST /v1/areas/${rooms[0]}/`, { as: 'ward' })
    await erasure.run()
    assert.equal(logBytes(file), 0)
  })

  test('a large log is truncated too, during writes', async () => {
    const erasure = new Erasure(atrium.service.db)
    for (let round = 20; logBytes(file) < 2_000_000; round++) await changeGuests(atrium, round, () => {})
    const rename = (n: number) =>
      atrium.ask('PATCH /v1/facilities/lyon-01/name', { as: 'everything', body: { value: `Renamed ${n}` } })
    const writing = Array.from({ length: 50 }, (_, n) => rename(n))
    await Promise.all([erasure.run(), ...writing])
    assert.equal(markersIn(file), 0)
    assert.ok((await Promise.all(writing)).every(({ status }) => status === 200))
  })

  test('an open snapshot prevents it, and the next run erases', async () => {
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

  test('a node erases by itself after its start', async () => {
    await changeGuests(atrium, 10, () => {})
    assert.ok(markersIn(file) > 0)
    const other = await startAtrium('sqlite', { database })
    await until('the end of what was deleted', async () => markersIn(file) === 0)
    await other.stop()
  })

  test('without secure_delete the search finds the deleted data', async () => {
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

  test('no dead row is left in the tables with guest data', async () => {
    await changeGuests(atrium, 0, () => {})
    assert.ok((await deadRows(atrium.service.db)) > 0, 'the search finds what is there')
    // Rows that another transaction can still see stay until the next run.
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
