import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../../src/storage/database.ts'
import { apply } from '../estate/applying.ts'
import { command } from '../harness/command.ts'
import { freshDatabase } from '../harness/databases.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'
import { withDb } from '../harness/with-db.ts'

const facility = (id_external: string, count: number) => ({
  id_external,
  name: id_external,
  areas: Array.from({ length: count }, (_, n) => ({ id: `${n}`, name: `Room ${n}` })),
})
const estate = (...facilities: object[]) => ({ facilities })

/** Returns how many rows PostgreSQL's planner assumes in a table; -1 if it has no statistics. */
const rowsPlanned = async (db: Db, table: string) => {
  const query = sql<{ n: number }>`select reltuples::int as n from pg_class where oid = to_regclass(${table})`
  return (await db.read(async (tx) => query.execute(tx.query))).rows[0]?.n
}

describe('planner statistics (postgres)', () => {
  let own: OwnDatabase
  let folder: string
  before(async () => {
    own = await ownDatabase('postgres')
    folder = await mkdtemp(join(tmpdir(), 'atrium-'))
  })
  after(async () => {
    await own.end()
    await rm(folder, { recursive: true })
  })

  test('are current after a large apply', async () => {
    await apply(own.db, estate(facility('large', 1200)))
    assert.deepEqual([await rowsPlanned(own.db, 'area'), await rowsPlanned(own.db, 'facility')], [1200, 1])
  })

  test('are left as they are by a dry run and a small apply', async () => {
    await apply(own.db, estate(facility('more', 1200)), { dryRun: true })
    await apply(own.db, estate(facility('small', 3)))
    assert.equal(await rowsPlanned(own.db, 'area'), 1200)
  })

  test('are current after a restore', async () => {
    const file = join(folder, 'backup.gz')
    const { url, drop } = await freshDatabase('postgres')
    try {
      assert.equal((await command({ ATRIUM_DATABASE: own.url }, 'backup', file)).code, 0)
      assert.equal((await command({ ATRIUM_DATABASE: url }, 'restore', file)).code, 0)
      await withDb(url, async (db) => {
        assert.deepEqual([await rowsPlanned(db, 'area'), await rowsPlanned(db, 'facility')], [1203, 2])
      })
    } finally {
      await drop()
    }
  })
})
