import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { command } from '../harness/command.ts'
import { addOperator } from '../harness/operators.ts'
import type { PostgresInstance } from '../harness/postgres-instance.ts'
import { type OwnPostgres, startPostgres } from '../harness/postgres-server.ts'
import { follow } from '../harness/postgres-standby.ts'
import { until } from '../harness/workers.ts'

const facility = 'lyon-01'

describe('a node with a standby for long reads', () => {
  let own: OwnPostgres
  let standby: PostgresInstance
  let atrium: TestAtrium
  let key = ''
  let changes = 0
  const settings = () => ({ ATRIUM_DATABASE: own.url, ATRIUM_DATABASE_REPLICA: standby.url, ATRIUM_PORT: '0' })
  before(async () => {
    own = await startPostgres()
    standby = await own.beside('standby')
    await follow(own.server, standby)
    atrium = await startAtrium('postgres', { database: { url: own.url }, seeded: true, settings: settings() })
    key = (await addOperator(atrium, 'admin')).key
  })
  after(async () => {
    await atrium?.stop()
    await own?.stop()
  })

  const get = async (path: string) => {
    const answer = await atrium.ask(`GET /cms/v1/${path}`, { as: key })
    assert.equal(answer.status, 200, answer.text)
    return answer
  }

  /** The number of reads by server and reason, such as `replica none`. */
  async function reads(): Promise<Record<string, number>> {
    const { text } = await atrium.ask('GET /metrics')
    const lines = text.matchAll(/^atrium_replica_reads_total\{server="(\w+)",reason="(\w+)"\} (\d+)$/gm)
    return Object.fromEntries([...lines].map(([, server, reason, count]) => [`${server} ${reason}`, Number(count)]))
  }

  /** Renames a facility and a room of it, and expects the new names in every list that the standby may serve. */
  async function assertFresh(): Promise<void> {
    const name = `Named ${++changes}`
    for (const [path, body] of [
      [`facilities/${facility}`, { name }],
      [`facilities/${facility}/areas`, { areas: [{ id: '101', name }] }],
    ] as const) {
      const answer = await atrium.ask(`PATCH /cms/v1/${path}`, { as: key, body })
      assert.equal(answer.status, 200, answer.text)
    }
    assert.ok((await get('facilities?limit=100')).text.includes(name))
    assert.ok((await get(`facilities/${facility}/areas?q=${encodeURIComponent(name)}`)).text.includes(name))
    assert.ok((await get(`audit?facility=${facility}&limit=2`)).text.includes(name))
    assert.ok((await get('export')).text.includes(name))
    assert.ok((await get(`audit/export?facility=${facility}`)).text.includes(name))
  }

  test('reads use it, are fresh and are counted', async () => {
    await until('the standby is used', async () => {
      await assertFresh()
      return ((await reads())['replica none'] ?? 0) > 10
    })
    assert.ok(atrium.log.some((line) => line.includes('reads use the replica')))
  })

  test('while it replays nothing, they are as fresh, from the primary', async () => {
    await standby.query('select pg_wal_replay_pause()')
    const before = await reads()
    await assertFresh()
    await assertFresh()
    const counts = await reads()
    assert.equal(counts['replica none'], before['replica none'])
    assert.ok((counts['primary behind'] ?? 0) > (before['primary behind'] ?? 0))
    await standby.query('select pg_wal_replay_resume()')
  })

  test('commands use it: export, backup and the audit log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-replica-'))
    try {
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await command(settings(), ...args)
        assert.deepEqual([code, stderr], [0, ''], `${args}`)
        return stdout
      }
      assert.ok((await run('export')).includes(`Named ${changes}`))
      await run('backup', join(folder, 'backup.gz'))
      await run('audit', 'verify')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  const findingOf = async (replica: string) => {
    const { stdout } = await command({ ...settings(), ATRIUM_DATABASE_REPLICA: replica }, 'doctor', '--json')
    return JSON.parse(stdout).findings.find(({ check }: { check: string }) => check.startsWith('replica '))
  }

  test('doctor says how far it is behind, and what is no standby', async () => {
    const { check, ok, detail } = await findingOf(standby.url)
    assert.deepEqual([check, ok], [`replica ${new URL(standby.url).host}`, true])
    assert.match(detail, /^a standby of the primary, \d+ bytes behind$/)
    assert.match((await findingOf(own.url)).detail, /no standby/)
    await own.server.query('create database other')
    await until('the standby has the other database', async () => {
      const { detail: found } = await findingOf(standby.url.replace(/postgres$/, 'other'))
      return /another database/.test(found)
    })
    await standby.kill()
    const { ok: isOk, advice } = await findingOf(standby.url)
    assert.deepEqual([isOk, /ATRIUM_DATABASE_REPLICA/.test(advice)], [false, true])
  })

  test('after it was killed, nothing fails, and the log says so once', async () => {
    for (let times = 0; times < 3; times++) await assertFresh()
    const lines = atrium.log.filter((line) => line.includes('reads do not use the replica'))
    assert.equal(lines.length, 1)
    const { level, server, reason } = JSON.parse(lines[0] as string)
    assert.deepEqual([level, server], ['warn', new URL(standby.url).host])
    assert.ok(reason.message.length > 0)
  })

  test('without a database server, the setting is refused', async () => {
    for (const more of [{ ATRIUM_DATABASE: 'sqlite::memory:' }, { ATRIUM_DATABASE_REPLICA: 'db2' }]) {
      const { code, stderr } = await command({ ...settings(), ...more }, 'migrate')
      assert.equal(code, 1)
      assert.match(stderr, /^atrium: ATRIUM_DATABASE_REPLICA must be a postgres:/)
    }
  })
})
