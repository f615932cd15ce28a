import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { sealAll } from '../../src/operations/background/seal-audit.ts'
import { verifyAudit } from '../../src/operations/background/verify-audit.ts'
import { migrationState } from '../../src/storage/migrate.ts'
import { makeFirstVersion, type OldRows } from '../cache/first-version.ts'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { command } from '../harness/command.ts'
import { type Engine, engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { rowsIn, tablesIn } from '../harness/rows.ts'
import { withDb } from '../harness/with-db.ts'
import { until } from '../harness/workers.ts'

const room = '/v1/areas/chu-nord-214'
const add = (code: string) => ({ as: 'ward', body: { value: JSON.stringify([{ code, note: `canary ${code}` }]) } })

/** Tables that a server writes asynchronously. */
const later = ['audit_place', 'audit_placed', 'audit_seal', 'request_log', 'request_count', 'refusal_count']

/** Leaves these out, and the last use of tokens. */
function settled(all: Record<string, string[]>) {
  const rows = Object.fromEntries(Object.entries(all).filter(([name]) => !later.includes(name)))
  return { ...rows, token: rows.token?.map((row) => row.replace(/\["last_used_at",[^\]]*\]/, '')) }
}

async function onFresh<T>(engine: Engine, work: (database: FreshDatabase) => Promise<T>): Promise<T> {
  const database = await freshDatabase(engine)
  try {
    return await work(database)
  } finally {
    await database.drop()
  }
}

for (const engine of engines) {
  describe(`atrium backup and restore (${engine})`, () => {
    let folder: string
    let database: FreshDatabase
    let node: TestAtrium
    const file = (name: string) => join(folder, name)
    const run = (url: string, ...args: string[]) => command({ ATRIUM_DATABASE: url }, ...args)
    const json = async (url: string, ...args: string[]) => {
      const { code, stdout, stderr } = await run(url, ...args, '--json')
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout)
    }
    const refused = async (says: RegExp, url: string, ...args: string[]) => {
      const { code, stdout, stderr } = await run(url, ...args)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, says)
      assert.match(stderr, /^atrium: [^\n]+\n$/)
    }

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
      database = await freshDatabase(engine)
      node = await startAtrium(engine, { database, seeded: true })
      await node.ask(`POST ${room}`, { as: 'ward' })
      await node.ask(`POST ${room}/data_services`, add('before'))
      await node.ask(`POST ${room}`, { as: 'ward', headers: { 'idempotency-key': 'reset' } })
      await node.ask(`POST ${room}/data_services`, { ...add('after'), headers: { 'idempotency-key': 'k' } })
    })
    after(async () => {
      await node?.stop()
      await database?.drop()
      await rm(folder, { recursive: true })
    })

    it('writes a file that only its owner can read, and reports its content', async () => {
      // On PostgreSQL, any open transaction on the server holds back the stable offset.
      await until('all is sealed', async () => (await withDb(database.url, sealAll)).unsealed === 0)
      const { stdout, stderr } = await run(database.url, 'backup', file('first.gz'))
      assert.equal(stderr, '')
      assert.match(stdout, /^Wrote .*first\.gz: 3 facilities, 8 areas, 5 partners, 5 tokens, \d+ audit /)
      assert.equal((await stat(file('first.gz'))).mode & 0o777, 0o600)
      assert.deepEqual(await readdir(folder), ['first.gz'])
    })

    it('contains every table and column', async () => {
      const lines = gunzipSync(await readFile(file('first.gz')))
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      const marks = lines.filter((line) => 'table' in line).map(({ table, columns }) => [table, columns.sort()])
      const { atrium_migration: _own, node_url: _node, ...tables } = await withDb(database.url, tablesIn)
      const expected = Object.entries(tables).map(([name, columns]) => [name, columns.sort()])
      assert.deepEqual(Object.fromEntries(marks), Object.fromEntries(expected))
    })

    it('contains no data of cycles that have ended', async () => {
      const text = gunzipSync(await readFile(file('first.gz'))).toString()
      assert.deepEqual([text.includes('canary after'), text.includes('canary before')], [true, false])
    })

    it('replaces an existing file only with --force', async () => {
      await writeFile(file('there.gz'), 'mine')
      await refused(/there\.gz exists already.*--force/, database.url, 'backup', file('there.gz'))
      assert.equal(await readFile(file('there.gz'), 'utf8'), 'mine')
      const { rows, bytes, engine: from } = await json(database.url, 'backup', file('there.gz'), '--force')
      assert.deepEqual([rows.facility, rows.area, rows.token], [3, 8, 5])
      assert.deepEqual([bytes, from.toLowerCase().startsWith(engine)], [(await stat(file('there.gz'))).size, true])
    })

    it('reports why it cannot write', async () => {
      await refused(/cannot write .*nowhere.*ENOENT/, database.url, 'backup', join(file('nowhere'), 'x.gz'))
      await refused(/cannot write .*: it is not a regular file/, database.url, 'backup', folder)
      assert.deepEqual(await readdir(folder), ['first.gz', 'there.gz'])
    })

    for (const target of engines) {
      it(`is restored unchanged on ${target}, and numbers continue after it`, () =>
        onFresh(target, async (fresh) => {
          const { url } = fresh
          const { rows, replaced } = await json(url, 'restore', file('first.gz'))
          assert.equal(
            Object.values(replaced).every((count) => count === 0),
            true,
          )
          const [there, here] = await Promise.all([withDb(database.url, rowsIn), withDb(url, rowsIn)])
          const mine = here.audit_entry?.find((row) => row.includes('database.restore')) ?? ''
          assert.match(mine, /"command line"/)
          assert.deepEqual(
            settled({ ...here, audit_entry: here.audit_entry?.filter((row) => row !== mine) ?? [] }),
            settled(there),
          )
          assert.equal(rows.audit_entry, there.audit_entry?.length)
          const { seals, unsealed, faults } = await withDb(url, (db) => verifyAudit(db))
          assert.deepEqual([faults, seals > 0, unsealed], [[], true, 1])
          const again = await startAtrium(target, { database: fresh, estate: { partners: [] } })
          Object.assign(again.tokens, node.tokens)
          const path = `${room}/data_services`
          const [before, after] = [
            await node.ask(`GET ${path}`, { as: 'ward' }),
            await again.ask(`GET ${path}`, { as: 'ward' }),
          ]
          assert.deepEqual([after.status, after.text], [200, before.text])
          const twin = await again.ask(`POST ${path}`, { ...add('after'), headers: { 'idempotency-key': 'k' } })
          assert.deepEqual([twin.status, twin.headers.get('idempotency-replayed')], [200, 'true'])
          assert.equal((await again.ask(`POST ${path}`, add('later'))).body.services.data_services.length, 2)
          await again.stop()
        }))
    }

    it('is refused by a database that is not empty, which stays as it is', async () => {
      const before = settled(await withDb(database.url, rowsIn))
      await refused(/not empty, it has 3 facilities, .*--replace/, database.url, 'restore', file('first.gz'))
      assert.deepEqual(settled(await withDb(database.url, rowsIn)), before)
    })

    it('replaces a database without a terminal only with --yes', async () => {
      const before = settled(await withDb(database.url, rowsIn))
      await refused(
        /--replace asks for confirmation.* add --yes/,
        database.url,
        'restore',
        file('first.gz'),
        '--replace',
      )
      assert.deepEqual(settled(await withDb(database.url, rowsIn)), before)
    })

    it('replaces the database under a running server, which uses it from the next request on', async () => {
      // Makes as many changes as the restored log is shorter, so that it ends with an offset that the server has read.
      const renamed = { as: 'hotelier', body: { value: 'Renamed since' } }
      assert.equal((await node.ask('PATCH /v1/facilities/lyon-01/name', renamed)).status, 200)
      assert.equal((await node.ask('GET /v1/facilities/lyon-01', { as: 'hotelier' })).body.name, 'Renamed since')
      const { code, stdout, stderr } = await run(database.url, 'restore', file('first.gz'), '--replace', '--yes')
      assert.deepEqual([code, /^Restored .*first\.gz of 20/.test(stdout)], [0, true])
      assert.match(stderr, /^Replacing the content of the database: 3 facilities, .* will be deleted\n$/)
      assert.equal((await node.ask('GET /v1/facilities/lyon-01', { as: 'hotelier' })).body.name, 'Hôtel Bellecour')
      assert.equal((await node.ask('PATCH /v1/facilities/lyon-01/name', renamed)).status, 200)
      assert.equal((await node.ask('GET /v1/facilities/lyon-01', { as: 'hotelier' })).body.name, 'Renamed since')
    })
  })
}

describe('a backup of an older version', () => {
  const rows: OldRows = {
    facilities: [{ id: 1, id_external: 'f', name: 'F', room_services: 1 }],
    areas: [],
    lists: [{ facility: 1, entries: [{ id: '1', name: 'One' }] }],
    keys: [],
    partners: ['p'],
  }
  const folders: string[] = []
  after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

  for (const [from, to] of [
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
  ] as const) {
    it(`of this version from ${from} is restored on ${to} and migrated`, () =>
      onFresh(from, (old) =>
        onFresh(to, async (fresh) => {
          const folder = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
          folders.push(folder)
          await makeFirstVersion(old.url, rows)
          const file = join(folder, 'old.gz')
          assert.equal((await command({ ATRIUM_DATABASE: old.url }, 'backup', file)).code, 0)
          assert.equal((await command({ ATRIUM_DATABASE: fresh.url }, 'restore', file)).code, 0)
          const { pending } = await withDb(fresh.url, migrationState)
          const { autocomplete_list: lists } = await withDb(fresh.url, rowsIn)
          assert.deepEqual([pending, lists?.length, lists?.[0]?.includes('f-1')], [[], 1, true])
          const again = await command({ ATRIUM_DATABASE: fresh.url }, 'restore', file, '--replace', '--yes')
          assert.equal(again.code, 1)
          assert.match(again.stderr, /it is older than the database \(0002-journal.*\): restore it into a new one/)
        }),
      ))
  }
})
