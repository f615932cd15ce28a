import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate, migrationState } from '../../src/storage/migrate.ts'
import { atrium, serve } from '../harness/command.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'

const latest = '0019-scheduled-attempt'

for (const engine of engines) {
  describe(`migrations (${engine})`, () => {
    let database: FreshDatabase
    before(async () => {
      database = await freshDatabase(engine)
    })
    after(() => database.drop())

    const open = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
      const db = openDatabase(database.url)
      try {
        return await work(db)
      } finally {
        await db.close()
      }
    }
    const schema = (db: Db) =>
      db.read(async (tx) => {
        const tables = await tx.query.introspection.getTables()
        const migrations = await tx.query.selectFrom('atrium_migration').selectAll().execute()
        return JSON.stringify([tables, migrations])
      })

    test('all of them are pending in an empty database', () =>
      open(async (db) => assert.deepEqual((await migrationState(db)).applied, [])))

    test('the first run applies all of them, a second one none', () =>
      open(async (db) => {
        const first = await migrate(db)
        assert.equal(first.at(-1), latest)
        const made = await schema(db)
        assert.deepEqual(await migrate(db), [])
        assert.equal(await schema(db), made)
        assert.deepEqual(await migrationState(db), { applied: first, pending: [], unknown: [] })
      }))

    test('a database of a newer version is refused in one clear line, and left alone', async () => {
      await open((db) =>
        db.write((tx) =>
          tx.query.insertInto('atrium_migration').values({ name: '9999-future', applied_at: 'then' }).execute(),
        ),
      )
      const made = await open(schema)
      await assert.rejects(
        open((db) => migrate(db)),
        /newer version of Atrium \(9999-future\)/,
      )
      const { code, stderr } = await atrium({ ATRIUM_DATABASE: database.url, ATRIUM_PORT: '0' }, 'serve')
      assert.equal(code, 1)
      assert.match(stderr, /^atrium: [^\n]*newer version of Atrium \(9999-future\)[^\n]*\n$/i)
      assert.equal(await open(schema), made)
    })
  })

  describe(`nodes that start together on an empty database (${engine})`, () => {
    test('two in one process', () => onEmpty(engine, (url) => inOneProcess(url, 2)))
    test('five in one process', () => onEmpty(engine, (url) => inOneProcess(url, 5)))
    test('five processes that migrate', () => onEmpty(engine, (url) => asProcesses(url, 5)))
    test('two processes that serve', () => onEmpty(engine, (url) => serving(url, 2)))
  })
}

async function onEmpty(engine: (typeof engines)[number], work: (url: string) => Promise<void>): Promise<void> {
  const database = await freshDatabase(engine)
  try {
    await work(database.url)
  } finally {
    await database.drop()
  }
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

async function inOneProcess(url: string, nodes: number): Promise<void> {
  const databases = times(nodes, () => openDatabase(url))
  const applied = await Promise.all(databases.map((db) => migrate(db)))
  await Promise.all(databases.map((db) => db.close()))
  assertOneApplied(applied)
}

async function asProcesses(url: string, nodes: number): Promise<void> {
  const outcomes = await Promise.all(times(nodes, () => atrium({ ATRIUM_DATABASE: url }, 'migrate', '--json')))
  for (const { code, stderr } of outcomes) assert.deepEqual([code, stderr], [0, ''])
  assertOneApplied(outcomes.map(({ stdout }) => JSON.parse(stdout).applied))
}

/** One node made the schema; the others found it. */
function assertOneApplied(applied: string[][]): void {
  assert.equal(applied.filter((names) => names.includes(latest)).length, 1)
  assert.equal(applied.filter((names) => names.length === 0).length, applied.length - 1)
}

async function serving(url: string, nodes: number): Promise<void> {
  const started = await Promise.allSettled(times(nodes, () => serve({ ATRIUM_DATABASE: url, ATRIUM_LOG: 'warn' })))
  const ready = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  try {
    for (const one of started) assert.equal(one.status, 'fulfilled', one.status === 'rejected' ? one.reason : '')
    const statuses = await Promise.all(ready.map(async (node) => (await fetch(`${node.url}/readyz`)).status))
    assert.deepEqual(
      statuses,
      times(nodes, () => 200),
    )
  } finally {
    await Promise.all(ready.map((node) => node.stop()))
  }
}
