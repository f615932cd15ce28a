import assert from 'node:assert/strict'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { newId } from '../../src/domain/identifier.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate, migrationState } from '../../src/storage/migrate.ts'
import { longAgo, makeFirstVersion, type OldArea } from '../cache/first-version.ts'
import { startServe } from '../harness/command.ts'
import { type Engine, engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { freePort } from '../harness/postgres-program.ts'
import { withDb } from '../harness/with-db.ts'
import { until } from '../harness/workers.ts'

const first = ['0001-estate']

function area(n: number): OldArea {
  const service = { id: newId(), code: 'tv', label: null, status: 'active', start_at: null, end_at: null, extra: {} }
  const own = { facility: 1, facilityName: 'f', short: `${n}`, name: 'R', data_general: [], services: [service] }
  return { ...own, opened_at: longAgo, cycle: newId() }
}

/** Holds the lock that a migration needs, until the returned function is called. */
async function lockMigrations(engine: Engine, url: string): Promise<() => Promise<void>> {
  const db = openDatabase(url)
  const end = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const held = db.write(async (tx) => {
    if (engine === 'postgres') await tx.lock('atrium migrations')
    begun.resolve()
    await end.promise
  })
  await begun.promise
  return async () => {
    end.resolve()
    await held
    await db.close()
  }
}

for (const engine of engines) {
  describe(`a migration that is stopped (${engine})`, () => {
    let database: FreshDatabase
    beforeEach(async () => {
      database = await freshDatabase(engine)
      const areas = Array.from({ length: 1000 }, (_, n) => area(n))
      const facilities = [{ id: 1, id_external: 'f', name: 'F', room_services: 1 }]
      await makeFirstVersion(database.url, { facilities, areas, lists: [], keys: [], partners: [] })
    })
    afterEach(() => database.drop())

    test('lets timers and signals in, is rolled back, and starts again', async () => {
      const stopped = new AbortController()
      setTimeout(() => stopped.abort(), 1)
      await withDb(database.url, async (db) => {
        await assert.rejects(migrate(db, undefined, stopped.signal), { name: 'AbortError' })
        assert.deepEqual((await migrationState(db)).applied, first)
        await migrate(db)
        assert.deepEqual((await migrationState(db)).pending, [])
      })
    })

    for (const workers of ['1', '2']) {
      test(`SIGTERM ends a node that waits for it (${workers} workers)`, async () => {
        const unlock = await lockMigrations(engine, database.url)
        const port = String(await freePort())
        const settings = { ATRIUM_DATABASE: database.url, ATRIUM_PORT: port, ATRIUM_WORKERS: workers }
        const child = startServe(settings)
        const exited = once(child, 'exit')
        const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
        assert.equal((await until('the node listens', ready))?.status, 503)
        child.kill('SIGTERM')
        assert.deepEqual(await exited, [0, null])
        await unlock()
        assert.deepEqual((await withDb(database.url, migrationState)).applied, first)
      })
    }
  })
}
