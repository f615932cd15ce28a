import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, it, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { verifyAudit } from '../../src/operations/background/verify-audit.ts'
import { atriumVersion } from '../../src/version.ts'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { command } from '../harness/command.ts'
import { freshDatabase } from '../harness/databases.ts'
import { addOperator } from '../harness/operators.ts'
import { withDb } from '../harness/with-db.ts'
import { until } from '../harness/workers.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'atrium-remote-backup-'))

/** Adds rows that hardly compress, 15 MB in all, so that a backup does not fit in the buffers of a connection. */
async function fill({ service: { db } }: TestAtrium): Promise<void> {
  for (let n = 10; n < 60; n++) {
    const values = { name: `m-${n}`, value: randomBytes(300_000).toString('base64') }
    await db.write((tx) => tx.query.insertInto('setting').values(values).execute())
  }
}

/** Writes one number in two rows of one transaction, which are the first and the last of their table, until stopped. */
function writePairs({ service: { db } }: TestAtrium) {
  let isStopped = false
  let count = 0
  const write = async () => {
    for (; !isStopped; count++) {
      await db.write(async (tx) => {
        const values = ['a', 'z'].map((name) => ({ name, value: String(count) }))
        const insert = tx.query.insertInto('setting').values(values)
        const set = { value: String(count) }
        await insert.onConflict((conflict) => conflict.column('name').doUpdateSet(set)).execute()
      })
    }
  }
  const writing = write()
  const stop = async () => {
    isStopped = true
    await writing
    return count
  }
  return { stop, count: () => count }
}

onEachEngine('atrium backup with --server', {}, (atrium) => {
  let admin: string
  const folder = newFolder()
  const file = (name: string) => join(folder, name)
  const remote = (key: string, ...args: string[]) =>
    command({ ATRIUM_KEY: key, ATRIUM_SERVER: atrium().url }, 'backup', ...args)
  before(async () => {
    await fill(atrium())
    admin = (await addOperator(atrium(), 'admin')).key
  })

  it('is a whole snapshot of one moment while others write, which can be restored', async () => {
    const pairs = writePairs(atrium())
    await until('there are pairs', async () => pairs.count() > 0)
    const before = pairs.count()
    const { code, stdout, stderr } = await remote(admin, file('whole.gz'), '--json')
    assert.deepEqual([code, stderr], [0, ''])
    assert.ok((await pairs.stop()) > before, 'nothing was written during the backup')
    const { rows, bytes, engine } = JSON.parse(stdout)
    assert.deepEqual([rows.facility, rows.area, rows.setting], [3, 8, 52])
    assert.deepEqual([bytes, engine.toLowerCase().startsWith(atrium().engine)], [statSync(file('whole.gz')).size, true])
    assert.ok(bytes > 4 * 1_048_576)
    assert.equal(statSync(file('whole.gz')).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(folder), ['whole.gz'])
    const target = await freshDatabase(atrium().engine)
    const restored = await command({ ATRIUM_DATABASE: target.url }, 'restore', file('whole.gz'))
    assert.equal(restored.code, 0, restored.stderr)
    await withDb(target.url, async (db) => {
      const settings = db.read((tx) => tx.query.selectFrom('setting').select('value').orderBy('name').execute())
      const values = (await settings).map(({ value }) => value)
      assert.equal(values[0], values.at(-1))
      assert.deepEqual((await verifyAudit(db)).faults, [])
    })
    await target.drop()
  })

  it('is recorded with its operator', async () => {
    const [entry] = (await atrium().ask('GET /cms/v1/audit?action=database.backup', { as: admin })).body
    assert.equal(entry.actor.name, 'admin@example.com')
    assert.ok(entry.detail.rows > 60)
  })

  it('prints what the command on the database prints', async () => {
    const line = /: 3 facilities, 8 areas, .* bytes, verified by reading it back \(\d+\.\d s\)\n$/
    const local = await command({ ATRIUM_DATABASE: atrium().databaseUrl }, 'backup', file('local.gz'))
    assert.match(local.stdout, line)
    assert.match((await remote(admin, file('remote.gz'))).stdout, line)
    const header = (name: string) =>
      JSON.parse(
        gunzipSync(readFileSync(file(name)))
          .toString()
          .split('\n', 1)[0] ?? '',
      )
    assert.deepEqual({ ...header('remote.gz'), created_at: '' }, { ...header('local.gz'), created_at: '' })
  })

  for (const role of ['viewer', 'editor'] as const) {
    it(`is refused to the key of a ${role}, and nothing is written`, async () => {
      const { key } = await addOperator(atrium(), role)
      const { code, stderr } = await remote(key, file('refused.gz'))
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(`needs the role admin; yours is ${role}`))
      assert.ok(!readdirSync(folder).some((name) => name.startsWith('refused')))
    })
  }

  it('is refused while the node writes another one', async () => {
    const release = atrium().service.db.claim('database task')
    const { code, stderr } = await remote(admin, file('second.gz'))
    release?.()
    assert.equal(code, 1)
    assert.match(stderr, /responded with status 503: This node writes a backup or reads the audit log already/)
  })

  it('ends when its operator is removed meanwhile, and leaves nothing behind', async () => {
    const { id, key } = await addOperator(atrium(), 'admin', 'leaving')
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${atrium().url}/cms/v1/backup`, { headers })
    assert.equal(response.status, 200)
    assert.equal((await atrium().ask(`DELETE /cms/v1/operators/${id}`, { as: admin })).status, 200)
    await assert.rejects(response.arrayBuffer())
    await until('the thread has ended', async () => isFree(atrium()))
  })

  it('ends when the client leaves, and after a request for the headers only', async () => {
    const headers = { authorization: `Bearer ${admin}` }
    const left = await fetch(`${atrium().url}/cms/v1/backup`, { headers })
    await left.body?.cancel()
    await until('the thread of the client that left has ended', async () => isFree(atrium()))
    const head = await fetch(`${atrium().url}/cms/v1/backup`, { headers, method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'application/gzip'])
    await until('the thread of HEAD has ended', async () => isFree(atrium()))
    assert.equal((await remote(admin, file('after.gz'))).code, 0)
  })
})

function isFree({ service: { db } }: TestAtrium): boolean {
  const release = db.claim('database task')
  release?.()
  return release !== undefined
}

const footer = { rows: {}, sha256: '0'.repeat(64) }
const header = { atrium_backup: 1, created_at: '2027-01-31T00:00:00.000Z', engine: 'any', schema: ['0001-estate'] }
const zipped = (...lines: object[]) => gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length - 12)

const cases: [title: string, respond: (response: ServerResponse) => void, says: RegExp][] = [
  [
    'a connection that is lost',
    (response) => {
      response.write(cut(zipped(header)))
      setTimeout(() => response.destroy(), 50)
    },
    /the connection to http\S+ was lost/,
  ],
  ['a file that ends early', (response) => response.end(cut(zipped(header))), /it is cut off: its end is missing/],
  ['a file without its footer', (response) => response.end(zipped(header)), /it is cut off: its end is missing/],
  ['a file with a wrong checksum', (response) => response.end(zipped(header, footer)), /it is damaged/],
  [
    'a failure of the server',
    (response) => response.end(zipped(header, { failed: 'The database cannot be used at the moment.' })),
    /cannot write \S+: The database cannot be used at the moment\./,
  ],
  ['something else', (response) => response.end('<html>'), /it is not a backup made by Atrium/],
]
for (const [title, respond, says] of cases) {
  test(`atrium backup with --server does not take ${title} for a backup`, async () => {
    const server = createServer((request, response) => {
      if (request.url === '/cms/v1/about') return void response.end(JSON.stringify({ version: atriumVersion() }))
      response.setHeader('content-type', 'application/gzip').setHeader('x-total-count', '1')
      respond(response)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const folder = newFolder()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, stdout, stderr } = await command(
      { ATRIUM_KEY: 'atk_x', ATRIUM_SERVER: url },
      'backup',
      join(folder, 'x'),
    )
    server.close().closeAllConnections()
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, says)
    assert.match(stderr, /^atrium: [^\n]+\n$/)
    assert.deepEqual(readdirSync(folder), [])
  })
}
