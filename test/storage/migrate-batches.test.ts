import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { serve } from '../harness/command.ts'
import { type Engine, engines, migratedDatabase } from '../harness/databases.ts'
import { freePort } from '../harness/postgres-program.ts'
import { withDb } from '../harness/with-db.ts'
import { until } from '../harness/workers.ts'

const migration = '0010-due-again'
const rooms = 1200
const start = '2030-01-01T00:00:00.000Z'
/** A service that earlier versions misread: its first key is not `id`. */
const misread = JSON.stringify({ data_services: [{ '7': 'x', id: 's', code: 'tv', start, end: null }] })

/** A database with rooms that the migration repairs, in which it is pending. */
async function onOld(engine: Engine, work: (url: string) => Promise<void>): Promise<void> {
  const database = await migratedDatabase(engine)
  try {
    await withDb(database.url, async (db) => {
      await migrate(db)
      await db.write(async ({ query }) => {
        await sql`insert into facility (id, id_external, name, status, type, subscribed, timezone, room_services, devices,
          date_created, date_updated) values (1, 'f', 'F', 'active', 'hotel', 1, 'UTC', 1, '[]', ${start}, ${start})`.execute(
          query,
        )
        for (let n = 0; n < rooms; n++) {
          await sql`insert into area (id, facility_id, id_external, id_short, sort_key, name, data_general, date_created,
            date_updated, json, services_lengths) values (${`r${n}`}, 1, ${`f-${n}`}, ${`${n}`}, ${`${n}`}, 'R', '[]',
            ${start}, ${start}, ${misread}, '1')`.execute(query)
        }
        await sql`delete from atrium_migration where name = ${migration}`.execute(query)
      })
    })
    await work(database.url)
  } finally {
    await database.drop()
  }
}

const repaired = (db: Db) =>
  db.read(async ({ query }) => {
    const found = query.selectFrom('area').select(({ fn }) => fn.countAll<number>().as('count'))
    return Number((await found.where('next_due_at', 'is not', null).executeTakeFirstOrThrow()).count)
  })

class Killed extends Error {}

for (const engine of engines) {
  describe(`a migration in batches (${engine})`, () => {
    test('continues where it was killed, and others can write between its batches', () =>
      onOld(engine, async (url) => {
        const db = openDatabase(url)
        const killed = migrate(db, () => {
          throw new Killed()
        })
        await assert.rejects(killed, Killed)
        assert.equal(await repaired(db), 500)
        const done: number[] = []
        const applied = await migrate(db, ({ name, rows }) => {
          assert.equal(name, migration)
          done.push(rows)
        })
        assert.deepEqual([applied, done], [[migration], [1000]])
        assert.equal(await repaired(db), rooms)
        assert.deepEqual(await migrate(db), [])
        await db.close()
      }))

    test('stops between two statements when asked to, and continues there', () =>
      onOld(engine, async (url) => {
        const db = openDatabase(url)
        const stopped = new AbortController()
        const stopping = migrate(db, () => stopped.abort(), stopped.signal)
        await assert.rejects(stopping, { name: 'AbortError' })
        assert.equal(await repaired(db), 500)
        assert.deepEqual(await migrate(db), [migration])
        assert.equal(await repaired(db), rooms)
        await db.close()
      }))

    test('is carried out once by nodes that start at the same time', () =>
      onOld(engine, async (url) => {
        const nodes = [openDatabase(url), openDatabase(url)]
        const applied = await Promise.all(nodes.map((db) => migrate(db)))
        assert.deepEqual(applied.flat(), [migration])
        assert.equal(await repaired(nodes[0] as Db), rooms)
        await Promise.all(nodes.map((db) => db.close()))
      }))
  })
}

describe('a node whose migration takes long (postgres)', () => {
  test('is alive, says what it waits for, refuses everything else, and then serves', () =>
    onOld('postgres', async (url) => {
      const db = openDatabase(url)
      const end = Promise.withResolvers<void>()
      const held = db.write(async (tx) => {
        await tx.lock('atrium migrations')
        await end.promise
      })
      const port = String(await freePort())
      const address = `http://127.0.0.1:${port}`
      const starting = serve({ ATRIUM_DATABASE: url, ATRIUM_PORT: port, ATRIUM_LOG: 'warn' })
      const ask = (path: string) => fetch(address + path).catch(() => undefined)
      const problem = await until('the node says what it waits for', async () => {
        const response = await ask('/readyz')
        const body = response && ((await response.json()) as { code: string; detail: string })
        return body?.detail.includes(migration) && { status: response?.status, ...body }
      })
      assert.deepEqual([problem.status, problem.code], [503, 'not_ready'])
      assert.equal((await ask('/healthz'))?.status, 200)
      for (const path of ['/v1/facilities/', '/cms/v1/facilities', '/docs']) {
        const refused = await ask(path)
        assert.deepEqual([refused?.status, refused?.headers.get('retry-after')], [503, '1'], path)
      }
      end.resolve()
      await held
      const node = await starting
      assert.equal((await ask('/readyz'))?.status, 200)
      assert.equal((await ask('/v1/facilities/'))?.status, 401)
      await node.stop()
      await db.close()
    }))

  test('ends when its migration cannot be carried out', () =>
    onOld('postgres', async (url) => {
      const db = openDatabase(url)
      const end = Promise.withResolvers<void>()
      const held = db.write(async (tx) => {
        await tx.lock('atrium migrations')
        await end.promise
        await tx.query.insertInto('atrium_migration').values({ name: '9999-future', applied_at: 'then' }).execute()
      })
      const port = String(await freePort())
      const starting = serve({ ATRIUM_DATABASE: url, ATRIUM_PORT: port, ATRIUM_LOG: 'warn' })
      const failed = assert.rejects(starting, /newer version of Atrium \(9999-future\)/)
      await until(
        'the node listens',
        async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok,
      )
      end.resolve()
      await held
      await failed
      await db.close()
    }))
})
